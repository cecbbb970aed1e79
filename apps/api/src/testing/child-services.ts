import {
  type DatabaseKind,
  makeTestLocation,
  type TestLocation,
} from '@mailstead/adapters/database/testing/database-fixture';
import { ChildService } from './child-service.js';

/** The processes and databases of one test. */
export class ChildServices {
  private readonly started: ChildService[] = [];
  private readonly locations: TestLocation[] = [];

  /** Makes an empty database. @returns the settings of a process that uses it. */
  async environment(kind: DatabaseKind): Promise<Record<string, string>> {
    const location = await makeTestLocation(kind);
    this.locations.push(location);
    return { DATA_DIR: location.dataDir, ...(location.url === null ? {} : { DATABASE_URL: location.url }) };
  }

  /** @param root of a build of another release */
  async start(environment: Record<string, string>, root?: string): Promise<ChildService> {
    const service = await ChildService.start(environment, root);
    this.started.push(service);
    return service;
  }

  /** Kills the processes and removes the databases. */
  async end(): Promise<void> {
    for (const service of this.started.splice(0)) await service.end('SIGKILL');
    for (const location of this.locations.splice(0)) await location.remove();
  }
}

/** @returns the names of all domains. */
export async function namesOf(service: ChildService): Promise<string[]> {
  const rows = (await service.call('GET', '/domains/')).body as unknown as { name: string }[];
  return rows.map(({ name }) => name);
}
