import { readFile } from 'node:fs/promises';
import { parseMailStackSettings } from '../settings/mail-stack-settings.js';
import { renderMailStack } from './render-mail-stack.js';

async function rendered(changes: object): Promise<Map<string, string>> {
  const text = await readFile(new URL('../../settings.example.json', import.meta.url), 'utf8');
  const example = JSON.parse(
    text.replaceAll('"change-me', '"changed-0123456789').replace('"imap":', '"version": "2.3", "imap":'),
  ) as object;
  const files = renderMailStack(parseMailStackSettings({ ...example, ...changes }));
  return new Map(files.map(({ path, content }) => [path, content]));
}

describe('the rendered files', () => {
  it('let policy daemon and API of one machine speak by frames, at one address', async () => {
    const pair = async (api: object | undefined): Promise<(string | undefined)[]> => {
      const files = await rendered(api === undefined ? {} : { api });
      const line = (path: string, name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(files.get(path) ?? '')?.[1];
      return [line('mailstead.env', 'POLICY_API_LISTEN'), line('policyd.env', 'POLICY_API')];
    };
    expect(await pair(undefined)).toEqual(['127.0.0.1:10044', '127.0.0.1:10044']);
    expect(await pair({ url: 'http://localhost:8080', frames: '/run/api.sock' })).toEqual([
      'unix:/run/api.sock',
      'unix:/run/api.sock',
    ]);
    expect(await pair({ url: 'http://[::1]:8080', frames: null })).toEqual([undefined, undefined]);
    expect(await pair({ url: 'https://api.example.net' })).toEqual([undefined, undefined]);
  });
});
