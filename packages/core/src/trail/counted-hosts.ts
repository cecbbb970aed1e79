import { needs } from '../needs.js';

/** The most mail servers that are remembered. An id may begin with any text. */
const MOST_HOSTS = 100;

/** Which mail servers counted messages in this process. The policy daemon begins ids with the name of its own. */
@needs()
export class CountedHosts {
  private readonly first = new Map<string, Date>();

  /** @param id of a counted message: `message:<host>:<queue id>`; others say nothing */
  note(id: string | null, at: Date): void {
    const [, host] = /^message:([^:]+):/.exec(id ?? '') ?? [];
    if (host === undefined || this.first.has(host)) return;
    if (this.first.size >= MOST_HOSTS) this.first.delete(this.first.keys().next().value ?? '');
    this.first.set(host, at);
  }

  /** By host, when its first message was counted since it was forgotten. */
  all(): ReadonlyMap<string, Date> {
    return this.first;
  }

  forget(host: string): void {
    this.first.delete(host);
  }
}
