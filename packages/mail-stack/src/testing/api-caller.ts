import { PATIENCE_MS } from '../../../../scripts/test-timeout.mjs';

/** A response of the API: JSON, or an empty object without a body. */
export type ApiAnswer = Record<string, unknown>;

/** Calls Mailstead's API with one token. */
export class ApiCaller {
  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  async get(path: string): Promise<ApiAnswer> {
    return await this.call('GET', path);
  }

  async post(path: string, body?: object): Promise<ApiAnswer> {
    return await this.call('POST', path, body);
  }

  async put(path: string, body?: object): Promise<ApiAnswer> {
    return await this.call('PUT', path, body);
  }

  async delete(path: string): Promise<ApiAnswer> {
    return await this.call('DELETE', path);
  }

  /** @throws Error with the response's text when the status is not 2xx. */
  private async call(method: string, path: string, body?: object): Promise<ApiAnswer> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return text === '' ? {} : (JSON.parse(text) as ApiAnswer);
  }
}
