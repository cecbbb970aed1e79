import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { NOTIFICATION_TYPES } from './notification-channel.js';

const DOCUMENT = fileURLToPath(new URL('../../../../docs/notifications.md', import.meta.url));

interface Section {
  type: string;
  body: { type: string; timestamp: string; data: Record<string, unknown> };
}

function sections(): Section[] {
  const [, ...parts] = readFileSync(DOCUMENT, 'utf8').split(/^### /m);
  return parts.map((part) => ({
    type: /^`([a-z_.]+)`$/m.exec(part)?.[1] ?? '',
    body: JSON.parse(/```json\n(.+)\n```/.exec(part)?.[1] ?? '{}') as Section['body'],
  }));
}

describe('docs/notifications.md', () => {
  it('describes exactly the types of notifications, in their order', () => {
    expect(sections().map(({ type }) => type)).toEqual(NOTIFICATION_TYPES);
  });

  it.each(sections())('shows a complete body of $type', ({ type, body }) => {
    expect(Object.keys(body)).toEqual(['type', 'timestamp', 'data']);
    expect(body.type).toBe(type);
    expect(body.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/);
    const aboutDomain = type.startsWith('domain.') ? ['domain', 'partner_ref'] : [];
    expect(Object.keys(body.data).slice(0, aboutDomain.length)).toEqual(aboutDomain);
    expect(Object.keys(body.data).length).toBeGreaterThan(aboutDomain.length - 1);
  });
});
