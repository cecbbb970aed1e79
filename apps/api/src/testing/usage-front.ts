import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The columns of the usage, in the order of the contract. */
const COLUMNS =
  'partner_ref,domain,external_ref,billing_ref,plan,from,to,days,mailboxes_max,mailbox_days,storage_mb_max,storage_mb_days,sent,bytes,bounces';

/** One row of the usage of a month. */
export interface UsageLine {
  domain: string;
  plan?: string;
  /** Null: the mail server did not report it. */
  storageMb: number | null;
  bytes: number;
}

/** Passes every request on to the API, but answers those for usage with the rows of a test. */
export class UsageFront {
  /** The rows, or a problem, by the path with its query. */
  readonly usage = new Map<string, UsageLine[] | { status: number; code: string; detail: string }>();
  /** The connection ends before the rows do. */
  isCut = false;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(apiUrl: string): Promise<UsageFront> {
    const server = createServer((request, response) => {
      void front.answer(apiUrl, request, response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const front = new UsageFront(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return front;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    const closed = once(this.server, 'close');
    this.server.close();
    await closed;
  }

  private async answer(
    apiUrl: string,
    request: import('node:http').IncomingMessage,
    response: import('node:http').ServerResponse,
  ): Promise<void> {
    const usage = this.usage.get(request.url ?? '');
    if (usage === undefined) {
      const passed = await fetch(`${apiUrl}${request.url}`, {
        headers: { Authorization: request.headers.authorization ?? '' },
      });
      const link = passed.headers.get('link');
      response.writeHead(passed.status, {
        'Content-Type': 'application/json',
        ...(link === null ? {} : { Link: link }),
      });
      response.end(await passed.text());
    } else if (Array.isArray(usage)) {
      response.writeHead(200, { 'Content-Type': 'text/csv; charset=utf-8' });
      response.write(`${COLUMNS}\r\n${usage.map(lineOf).join('')}`);
      if (this.isCut) response.socket?.end();
      else response.end();
    } else {
      response.writeHead(usage.status, { 'Content-Type': 'application/problem+json' });
      response.end(JSON.stringify(usage));
    }
  }
}

function lineOf({ domain, plan, storageMb, bytes }: UsageLine): string {
  const storage = storageMb ?? '';
  return `acme,${domain},"a ""quoted"", reference",,${plan ?? ''},2026-03-01,2026-03-31,31,5,140,${storage},${storage},1200,${bytes},3\r\n`;
}
