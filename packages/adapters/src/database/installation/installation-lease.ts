import { randomUUID } from 'node:crypto';
import type { Clock } from '@mailstead/core/clock';
import type { Database } from '../driver/database.js';
import { InstallationRow, readInstallation } from './installation.js';

/**
 * A lease that at most one process of the installation holds, stored in `installation`. A process that is killed loses
 * it when it ends. Always held on the embedded database, which has only one process.
 */
export class InstallationLease {
  private readonly owner = randomUUID();
  private held: string | null = null;

  /** @param name the row of `installation` */
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly name: string,
    private readonly leaseMs: number,
  ) {}

  /**
   * Takes the lease when nobody holds it, and extends it when this process holds it.
   *
   * @returns whether this process holds it now
   * @throws AppError database_unavailable
   */
  async hold(): Promise<boolean> {
    if (this.database.dialect.hasOneWriter) return true;
    const now = this.clock.now().getTime();
    const last = await readInstallation(this.database, this.name);
    const [owner, until] = (last ?? ' 0').split(' ');
    const isOwn = owner === this.owner;
    // A lease that ends later than any could was taken by a clock that was set back.
    if (!isOwn && Number(until) > now && Number(until) <= now + 2 * this.leaseMs) return false;
    try {
      const value = `${this.owner} ${now + this.leaseMs}`;
      const isTaken = await this.store(last, value);
      this.held = isTaken ? value : null;
      return isTaken;
    } catch (error) {
      // A database that takes no writes, for example because its disk is full.
      if (isOwn) return true;
      throw error;
    }
  }

  /** Lets another process take the lease at once. Never rejects. */
  async release(): Promise<void> {
    if (this.held === null) return;
    await this.database.manager.delete(InstallationRow, { name: this.name, value: this.held }).catch(() => undefined);
    this.held = null;
  }

  /** Compare and set. @returns false when another process changed the row meanwhile */
  private async store(last: string | null, value: string): Promise<boolean> {
    const { manager } = this.database;
    if (last !== null) {
      const { affected } = await manager.update(InstallationRow, { name: this.name, value: last }, { value });
      return affected === 1;
    }
    const row = { name: this.name, value };
    await manager.createQueryBuilder().insert().into(InstallationRow).values(row).orIgnore().execute();
    return (await readInstallation(this.database, this.name)) === value;
  }
}
