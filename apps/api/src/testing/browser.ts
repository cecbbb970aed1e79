import supertest from 'supertest';

/** Sends requests with a session, as the portal in a browser does. */
export class Browser {
  cookie: string | null = null;
  csrf: string | null = null;
  /** The id of the session. */
  id = 0;

  constructor(readonly url: string) {}

  /** Opens a session. @param token null for a code in the body */
  async enter(token: string | null, body?: object): Promise<supertest.Response> {
    const request = supertest(this.url).post('/sessions');
    if (token !== null) request.set('Authorization', `Bearer ${token}`);
    if (this.cookie !== null) request.set('Cookie', this.cookie);
    const response = await request.send(body);
    this.remember(response);
    return response;
  }

  send(method: 'get' | 'post' | 'put' | 'delete', path: string, body?: unknown): supertest.Test {
    const request = supertest(this.url)[method](path);
    if (this.cookie !== null) request.set('Cookie', this.cookie);
    if (method !== 'get' && this.csrf !== null) request.set('X-CSRF-Token', this.csrf);
    return request.send(body as object | undefined);
  }

  private remember({ status, headers, body }: supertest.Response): void {
    if (status !== 201) return;
    this.cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? null;
    this.csrf = (body as { csrf_token: string }).csrf_token;
    this.id = (body as { id: number }).id;
  }
}
