import { needs } from '@mailstead/core/needs';
import { RelayStates, type RelayTraffic } from '@mailstead/core/relay/relay-state';
import { RelayTrafficLog } from '@mailstead/core/relay/relay-traffic-log';

const WRITE_EVERY_MS = 2_000;

/** Collects the traffic of the relay, and writes it at once, and then at most every two seconds. */
@needs(RelayStates)
export class RelayTrafficStamps extends RelayTrafficLog {
  private pending = noTraffic();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(private readonly states: RelayStates) {
    super();
  }

  override counted(messages: number, at: Date): void {
    if (messages === 0) return;
    this.pending.counted += messages;
    this.pending.countedAt ??= at;
    void this.writeSoon();
  }

  override heard(at: Date, isEvent: boolean): Promise<void> {
    this.pending.counted = 0;
    this.pending.heardAt = at;
    if (isEvent) this.pending.eventAt = at;
    return this.writeSoon();
  }

  /** Writes what is pending now. It is lost when the database cannot be reached; later traffic is not. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    await this.writing;
    await this.write();
  }

  private writeSoon(): Promise<void> {
    if (this.timer !== undefined) return Promise.resolve();
    this.timer = setTimeout(() => {
      this.timer = undefined;
      if (hasTraffic(this.pending)) void this.writeSoon();
    }, WRITE_EVERY_MS).unref();
    this.writing = this.writing.then(() => this.write());
    return this.writing;
  }

  private async write(): Promise<void> {
    const { pending } = this;
    if (!hasTraffic(pending)) return;
    this.pending = noTraffic();
    await this.states.addTraffic(pending).catch(() => undefined);
  }
}

function noTraffic(): RelayTraffic {
  return { counted: 0, countedAt: null, heardAt: null, eventAt: null };
}

function hasTraffic({ countedAt, heardAt }: RelayTraffic): boolean {
  return countedAt !== null || heardAt !== null;
}
