import { MASTER, type TestApi } from './api-fixture.js';

export interface CreatedKey {
  id: number;
  token: string;
}

/** Partners with keys, and the keys that these create. */
export class KeyWorld {
  private partners = 0;

  constructor(readonly api: TestApi) {}

  /** A new partner with one key that an operator created. */
  async partner(limits: Record<string, unknown> = {}): Promise<CreatedKey & { ref: string }> {
    this.partners += 1;
    const ref = `own${this.partners}`;
    const token = await this.api.key(ref, limits);
    const { body } = await this.api.as(MASTER).get(`/api-keys/${token}`).expect(200);
    return { id: (body as CreatedKey).id, token, ref };
  }

  async create(token: string, body: object = {}): Promise<CreatedKey> {
    return (await this.api.as(token).post('/me/keys', body).expect(201)).body as CreatedKey;
  }

  async domain(token: string, name: string): Promise<string> {
    await this.api.as(token).post('/domains/', { name }).expect(201);
    return name;
  }

  async recordOf({ id }: CreatedKey) {
    return (await this.api.as(MASTER).get(`/api-keys/${id}`).expect(200)).body;
  }

  /** The time of the service and so many milliseconds, as responses show it. */
  iso(ms: number): string {
    return new Date(this.api.clock.now().getTime() + ms).toISOString().slice(0, -1);
  }
}

export function codeOf({ body }: { body: { code: string } }): string {
  return body.code;
}

export function fieldsOf({ body }: { body: { errors: { field: string }[] } }): string[] {
  return body.errors.map(({ field }) => field);
}
