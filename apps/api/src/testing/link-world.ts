import { MASTER, type TestApi } from './api-fixture.js';
import { Browser } from './browser.js';

/** A link as its maker got it. */
export interface MadeLink {
  id: number;
  code: string;
}

/** Makes partners and portal links, and enters with them. */
export class LinkWorld {
  private partners = 0;

  constructor(private readonly api: TestApi) {}

  /** Makes a partner with a key and two domains. */
  async partner(
    limits: Record<string, unknown> = {},
  ): Promise<{ partner: string; key: string; domain: string; other: string }> {
    this.partners += 1;
    const partner = `partner${this.partners}`;
    const key = await this.api.key(partner, limits);
    const [domain, other] = [`a${this.partners}.example`, `b${this.partners}.example`];
    const items = [domain, other].map((name) => ({ name, partner_ref: partner }));
    const { body } = await this.api.as(MASTER).post('/domains/bulk', { items }).expect(200);
    expect(body).toEqual(items.map(() => expect.objectContaining({ status: 201 })));
    return { partner, key, domain, other };
  }

  async create(token: string, body: object): Promise<MadeLink> {
    const { status, body: made } = await this.api.as(token).post('/portal-links', body);
    if (status !== 201) throw new Error(`The link was refused: ${JSON.stringify(made)}`);
    const { id, url } = made as { id: number; url: string };
    const code = /^\/portal\/enter#code=([A-Za-z0-9_-]{43})$/.exec(url)?.[1];
    if (code === undefined) throw new Error(`${url} has another form`);
    return { id, code };
  }

  async enter({ code }: MadeLink): Promise<Browser> {
    const browser = new Browser(this.api.url);
    const { status, body } = await browser.enter(null, { code });
    if (status !== 201) throw new Error(`The code was refused: ${JSON.stringify(body)}`);
    return browser;
  }

  /** Enters with a code that must be refused. @returns the status and the error code */
  async refusalOf({ code }: MadeLink): Promise<[status: number, code: string]> {
    const { status, body } = await new Browser(this.api.url).enter(null, { code });
    return [status, (body as { code: string }).code];
  }
}
