import { type ClientRequest, type IncomingMessage, request } from 'node:http';

export interface ReadEvent {
  id: number;
  type: string;
  subject: string;
  domain: string | null;
  data: Record<string, unknown>;
}

/** A client of `GET /events/stream`. */
export class EventReader {
  readonly events: ReadEvent[] = [];
  heartbeats = 0;
  /** The last id, also of a heartbeat, as a browser would send it. */
  lastEventId = '';
  isEnded = false;
  private text = '';
  private readonly waiting = new Set<() => void>();

  private constructor(
    private readonly sent: ClientRequest,
    readonly response: IncomingMessage,
  ) {
    response.setEncoding('utf8').on('data', (text: string) => {
      this.text += text;
      for (let end = this.text.indexOf('\n\n'); end !== -1; end = this.text.indexOf('\n\n')) {
        this.read(this.text.slice(0, end));
        this.text = this.text.slice(end + 2);
      }
      this.wake();
    });
    response.on('close', () => {
      this.isEnded = true;
      this.wake();
    });
    response.on('error', () => undefined);
  }

  /** @returns the reader, when the response begins; its status is in `response`. */
  static open(url: string, token: string, query = '', headers: Record<string, string> = {}): Promise<EventReader> {
    return new Promise((resolve, reject) => {
      const all = { Authorization: `Bearer ${token}`, Accept: 'text/event-stream', ...headers };
      const sent = request(`${url}/events/stream${query}`, { headers: all, agent: false }, (response) =>
        resolve(new EventReader(sent, response)),
      );
      sent.on('error', reject).end();
    });
  }

  close(): void {
    this.sent.on('error', () => undefined).destroy();
  }

  /** Waits until the condition holds, which is checked after each part that arrives, and at the end. */
  async until(condition: (reader: EventReader) => boolean): Promise<void> {
    while (!condition(this)) {
      if (this.isEnded) throw new Error(`The stream ended after ${this.events.length} events`);
      await new Promise<void>((resolve) => this.waiting.add(resolve));
    }
  }

  async ended(): Promise<void> {
    while (!this.isEnded) await new Promise<void>((resolve) => this.waiting.add(resolve));
  }

  private wake(): void {
    for (const resolve of this.waiting) resolve();
    this.waiting.clear();
  }

  private read(block: string): void {
    const fields = block
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]);
    const isHeartbeat = fields.some(([name, value]) => name === 'event' && value?.trim() === 'heartbeat');
    if (isHeartbeat) this.heartbeats += 1;
    for (const [name, value = ''] of fields) {
      if (name === 'id') this.lastEventId = value.trim();
      if (name === 'data' && !isHeartbeat) this.events.push(JSON.parse(value) as ReadEvent);
    }
  }
}
