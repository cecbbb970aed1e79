import type fc from '../../../../scripts/fast-check.mjs';
import { kindOf, type Place } from './address-places.js';
import { MASTER, type TestApi } from './api-fixture.js';
import { addressSpellingsOf, type SpelledName, spellingsOf } from './spellings.js';
import { verifyDomain } from './verify-domain.js';

export interface Answer {
  status: number;
  /** Null for a stream of events, which has no end. */
  body: unknown;
}

interface Text {
  stored: string;
  spellings: fc.Arbitrary<string>;
}

/** What differs between two answers to the same request. */
const VOLATILE = new Set(
  `id revision token token_mask url created_at verified_at checked_at last_checked_at request_uid at sent_today
   sent_this_month headroom bytes_this_month instance request_id`.split(/\s+/),
);
const REF = 'acme';
const HASH = '$2y$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';
/** What a world has, in the order in which it is made. */
const PARTS = ['domains', 'mailbox', 'aliases', 'suppressions'] as const;
type Part = (typeof PARTS)[number];
/** What a request takes away that a place needs; the first line holds. A domain is deleted before its creation. */
const TAKEN: readonly [RegExp, readonly Part[]][] = [
  [/^(get |post (?!\/domains\/(bulk)? ))/, []],
  [/^put \/(domains\/:domain_name\/(plan|retention|transfer|inbound|outbound|front-hosts)|users\/:email\/quota) /, []],
  [/^(put \/(me|api-keys)\/|delete \/relay\/)/, []],
  [/^delete \/aliases\//, ['aliases']],
  [/^delete \/users\//, ['mailbox', 'aliases']],
  [/./, PARTS],
];

/** A domain with what the routes take: a mailbox, aliases, a domain below it, a suppression, a message, keys. */
export class SpelledWorld {
  private readonly below: SpelledName;
  private readonly outside: SpelledName;
  /** Of the partner, and another one whose limits are changed. */
  private token = '';
  private changed = '';
  private keyBelow = 0;
  private aliasId = 0;
  private keys = 0;
  private readonly missing = new Set<Part>(PARTS);

  constructor(
    private readonly api: TestApi,
    private readonly name: SpelledName,
  ) {
    this.below = { unicode: `new.${name.unicode}`, stored: `new.${name.stored}` };
    this.outside = { unicode: `out.${name.unicode}`, stored: `out.${name.stored}` };
  }

  async start(): Promise<this> {
    this.token = await this.api.key(REF);
    this.changed = await this.api.key(REF);
    this.keyBelow = ((await this.call('POST', '/me/keys', { name: 'below' }, this.token)).body as { id: number }).id;
    await verifyDomain(this.api, this.token, this.name.stored);
    await this.prepare();
    return this;
  }

  /** What a place is asked about: the text as the service stores it, and other ways to write it. */
  textOf(place: Place): Text {
    const { stored, spellings } = this.anyTextOf(place);
    // A beginning may be longer: `example.` is also that of `example.com`.
    const isBeginning = place.label.endsWith('query.q');
    return {
      stored,
      spellings: isBeginning ? spellings.map((text) => text.replace(/[.\u3002](?=\s*$)/, '')) : spellings,
    };
  }

  private anyTextOf(place: Place): Text {
    const { label } = place;
    const [kind] = kindOf(place) ?? ['domain'];
    if (kind === 'domain') {
      const name = /^post \/domains\/(bulk)? /.test(label) ? this.below : this.name;
      return { stored: name.stored, spellings: spellingsOf(name) };
    }
    const local = this.localOf(label);
    const name = ['joe', 'Jane'].includes(local) ? this.outside : this.name;
    const spellings = addressSpellingsOf(local, name, kind !== 'outside' && kind !== 'provider');
    return { stored: `${local}@${name.stored}`, spellings };
  }

  private localOf(label: string): string {
    if (/destination|support_email|path.address/.test(label)) return 'Jane';
    if (/suppressions|messages query.recipient|trail body.items.recipient/.test(label)) return 'joe';
    if (label.startsWith('post /users')) return 'new';
    if (label.startsWith('post /aliases')) return 'list';
    return label.includes('aliases') ? 'sales' : 'anna';
  }

  /** Asks a place about a text, after what the request deletes is made, and what it makes is deleted. */
  async ask(place: Place, text: string): Promise<Answer> {
    const { route, label } = place;
    if (route.method === 'delete') await this.prepare();
    await this.makeRoom(label);
    const body = route.body === undefined ? undefined : this.bodyOf(place, text);
    const token = route.access === 'key' ? this.token : MASTER;
    const names = [text, this.textOf(place).stored];
    const answer = await this.call(route.method.toUpperCase(), this.urlOf(place, text), body, token, names);
    const [, taken = []] = TAKEN.find(([pattern]) => pattern.test(label)) ?? [];
    if (answer.status < 300) for (const part of taken) this.missing.add(part);
    return answer;
  }

  /** Makes what requests have deleted. */
  async prepare(): Promise<void> {
    for (const part of PARTS.filter((each) => this.missing.delete(each))) await this.make(part);
  }

  private async make(part: Part): Promise<void> {
    const { stored } = this.name;
    const joe = `joe@${this.outside.stored}`;
    if (part === 'domains') {
      await this.call('POST', '/domains/', { name: stored, partner_ref: REF });
      await this.call('PUT', `/domains/${stored}/activate`, {});
      await this.call('POST', '/domains/', { name: this.below.stored, partner_ref: REF });
      await this.call('PUT', `/domains/${this.below.stored}/parent`, { parent: stored });
      await this.call('POST', '/outbound/trail', { items: [this.step()] });
    } else if (part === 'mailbox') {
      await this.call('POST', '/users/', { email: `anna@${stored}`, password_hash: HASH });
    } else if (part === 'aliases') {
      await this.call('POST', '/aliases/', { address: `sales@${stored}`, destination: `anna@${stored}` });
      await this.call('POST', '/aliases/', { address: `away@${stored}`, destination: `Jane@${this.outside.stored}` });
      const [away] = (await this.call('GET', `/aliases/?address=away@${stored}`)).body as { id: number }[];
      this.aliasId = away?.id ?? 0;
    } else {
      await this.call('POST', '/suppressions/', { address: joe, partner_ref: REF });
      await this.call('POST', '/suppressions/', { address: joe, domain: stored });
    }
  }

  private step(): Record<string, unknown> {
    return {
      host: `mail.${this.name.stored}`,
      queue_id: '4dGz1V2y3Xz9QrT',
      at: this.minuteAgo(),
      step: 'accepted',
      direction: 'out',
      domain: this.name.stored,
      sender: `anna@${this.name.stored}`,
      recipient: `joe@${this.outside.stored}`,
    };
  }

  private minuteAgo(): string {
    return new Date(this.api.clock.now().getTime() - 60_000).toISOString();
  }

  private async makeRoom(label: string): Promise<void> {
    if (/^post \/domains\/(bulk)? /.test(label)) await this.call('DELETE', `/domains/${this.below.stored}`);
    if (label.startsWith('post /users/')) await this.call('DELETE', `/users/new@${this.name.stored}`);
    if (label.startsWith('post /aliases/')) await this.call('DELETE', `/aliases/list@${this.name.stored}`);
  }

  private urlOf({ route, label, in: where, names }: Place, text: string): string {
    const params: Record<string, string> = {
      domain_name: label.endsWith('body.parent') ? this.below.stored : this.name.stored,
      email: `anna@${this.name.stored}`,
      alias: String(this.aliasId),
      partner_ref: REF,
      key_id: String(this.keyBelow),
      token: this.changed,
    };
    const [name = ''] = names;
    const path = route.path.replace(/:(\w+)/g, (_, param: string) =>
      encodeURIComponent(where === 'path' && param === name ? text : (params[param] ?? '')),
    );
    return where === 'query' ? `${path}?${name}=${encodeURIComponent(text)}` : path;
  }

  /** The example of the document, about this domain, with the text in its place. */
  private bodyOf({ route, in: where, names, isList }: Place, text: string): unknown {
    const { requestBody } = this.api.document.operation(route);
    const alias = route.path.startsWith('/aliases') ? 'list' : 'sales';
    const example = JSON.stringify(requestBody?.content['application/json']?.example ?? {})
      .replaceAll('sales@example.com', `${alias}@${this.name.stored}`)
      .replaceAll('info@example.com', `anna@${this.name.stored}`)
      .replaceAll('example.com', this.name.stored);
    const body = JSON.parse(example) as Record<string, unknown>;
    const item = Array.isArray(body.items) ? (body.items[0] as Record<string, unknown>) : body;
    // The mailbox may be younger than a session of an example.
    const left = ['id', 'count', 'recipient_domain', 'forwarded', 'record', 'wildcard_mode', 'session_age_ms'];
    for (const name of left) delete item[name];
    if (item.token !== undefined) {
      this.keys += 1;
      item.token = `token-of-a-key-${this.name.stored}-${this.keys}`;
    }
    if (item.at !== undefined) Object.assign(item, { at: this.minuteAgo(), host: `mail.${this.name.stored}` });
    if (/^\/domains\/(bulk)?$/.test(route.path)) item.partner_ref = REF;
    if (names.at(-1) === 'claims') item.sender = `anna@${this.name.stored}`;
    if (where === 'body') {
      const field = names.at(-1) ?? '';
      if (field === 'recipient_domain') delete item.recipient;
      item[field] = isList ? [text] : text;
    }
    return Array.isArray(body.items) ? { items: [item] } : body;
  }

  private async call(
    method: string,
    path: string,
    body?: unknown,
    token = MASTER,
    names: string[] = [],
  ): Promise<Answer> {
    const stopped = new AbortController();
    const response = await fetch(this.api.url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined || method === 'GET' ? {} : { body: JSON.stringify(body) }),
      signal: stopped.signal,
    });
    if (response.headers.get('content-type')?.startsWith('text/event-stream') === true) {
      stopped.abort();
      return { status: response.status, body: null };
    }
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : withoutVolatile(JSON.parse(text), names) };
  }
}

/**
 * @param names the text and its stored form, which count as the same: an answer names what it is about in either form.
 * Empty for an answer that is not compared.
 */
function withoutVolatile(value: unknown, names: string[]): unknown {
  if (names.some((name) => name === value)) return '(asked)';
  if (Array.isArray(value)) return value.map((each) => withoutVolatile(each, names));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([name]) => names.length === 0 || !VOLATILE.has(name));
  return Object.fromEntries(fields.map(([name, each]) => [name, withoutVolatile(each, names)]));
}
