import { parseMailStackSettings } from '../settings/mail-stack-settings.js';
import { parametersOf, withoutOverridden } from './main-cf.js';
import { renderMailStack } from './render-mail-stack.js';

const TEXT = `# a = comment

a = 1
  # within the value
\tb = 2,

  c
b=
 # ends with a comment
a= x = y
d
`;

describe('the parameters of a main.cf', () => {
  it('are those that Postfix reads, with their lines', () => {
    expect(parametersOf(TEXT)).toEqual([
      { name: 'a', value: '1 b = 2, c', line: 3, lines: 5 },
      { name: 'b', value: '', line: 8, lines: 1 },
      { name: 'a', value: 'x = y', line: 10, lines: 1 },
      { name: 'd', value: '', line: 11, lines: 1 },
    ]);
    expect(parametersOf('')).toEqual([]);
    expect(parametersOf('  # nothing\n')).toEqual([]);
  });

  it('stay once, with all their comments outside, when the overridden lines are removed', () => {
    const once = withoutOverridden(TEXT);
    expect(once).toBe('# a = comment\n\nb=\n # ends with a comment\na= x = y\nd\n');
    expect(withoutOverridden(once)).toBe(once);
  });
});

describe('the rendered main.cf of each instance', () => {
  const SECRET = 'a-secret-of-sixteen-or-more';
  const EVERYTHING = {
    forwarding: { srsDomain: 'srs.example.net' },
    inboundMilters: ['127.0.0.1:1'],
    test: { fastFailures: true },
  };

  /** Returns their texts. */
  function rendered(postfix: Record<string, unknown>, further: Record<string, unknown> = {}): string[] {
    const settings = parseMailStackSettings({
      hostname: 'mx1.example.net',
      postmaster: 'postmaster@example.net',
      tls: { certificateFile: '/etc/ssl/cert.pem', keyFile: '/etc/ssl/key.pem' },
      dovecot: { version: '2.3', doveadm: { apiKey: SECRET } },
      database: { postfix: { password: SECRET }, dovecot: { password: SECRET } },
      relays: [{ host: 'relay.example', username: 'user', password: 'password' }],
      postfix,
      ...further,
    });
    const texts = renderMailStack(settings).filter(({ path }) => path.endsWith('/main.cf'));
    expect(texts).toHaveLength(2);
    return texts.map(({ content }) => content);
  }

  it('sets each parameter once', () => {
    const all = { logFile: '/var/log/postfix.log', queueDirectory: '/q', dataDirectory: '/d' };
    for (const text of [...rendered({}), ...rendered(all, EVERYTHING)]) {
      const names = parametersOf(text).map(({ name }) => name);
      expect(names).toEqual([...new Set(names)]);
    }
  });

  it('has an own line instead of the template’s, because Postfix warns of a parameter that stands twice', () => {
    const extra = ['biff = yes', 'virtual_alias_maps = inline:{ }'];
    for (const text of rendered({ extra, unsupported: true })) {
      const names = parametersOf(text).map(({ name }) => name);
      expect(names.filter((name) => extra.some((line) => line.startsWith(name)))).toEqual([
        'biff',
        'virtual_alias_maps',
      ]);
      expect(text).toMatch(/\nbiff = yes\nvirtual_alias_maps = inline:\{ \}\n$/);
      expect(text).not.toContain('alias-names.cf, ');
    }
  });
});
