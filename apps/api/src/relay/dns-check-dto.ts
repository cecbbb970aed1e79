import type { Domain } from '@mailstead/core/domains/domain';
import { type DnsReport, isDnsOk, type ReportedCheck } from '@mailstead/core/relay/check-dns';
import { DNS_FINDING_CODES, type DnsFinding } from '@mailstead/core/relay/dns-findings';
import { DNS_PROVIDERS } from '@mailstead/core/relay/dns-providers';
import { type FrontHosts, MOST_FRONT_HOSTS } from '@mailstead/core/relay/front-hosts';
import { Bool, Enum, Integer, ListOf, ListOfText, MapOfText, Nested, Text, Time } from '../http/fields.js';
import { REVISION } from '../http/revision.js';
import { hostName } from '../http/text-rules.js';
import { timestamp } from '../http/timestamp.js';

class DnsZoneResponse {
  @Text({
    description:
      'The nearest zone at or above the domain, by its NS and SOA records; the registrable domain when none was found',
    example: 'example.com',
  })
  name!: string;
  @ListOfText({
    description: 'The name servers of the zone; empty when they could not be looked up',
    example: ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'],
  })
  name_servers!: string[];
  @Enum(DNS_PROVIDERS, {
    nullable: true,
    description: 'The provider of all these name servers; null when it is not one of those listed',
    example: 'cloudflare',
  })
  provider!: string | null;
}

class RecordToPublishResponse {
  @Text({ description: 'The type of the DNS record', example: 'MX' }) type!: string;
  @Text({ description: 'The full name, without a dot at the end', example: 'example.com' }) name!: string;
  @Text({
    description: 'The name within `zone`, for providers that append the zone themselves; `@` for the zone itself',
    example: '@',
  })
  relative_name!: string;
  @Integer({ nullable: true, max: 65_535, description: 'The priority of an MX record; else null', example: 10 })
  priority!: number | null;
  @Text({ description: 'The value, without the priority', example: 'mx.mailstead.example' }) value!: string;
}

const CODE = {
  description: 'A stable code of the sentence in `detail`, for translations',
  example: 'foreign_mx',
};
const PARAMS = {
  description: 'The values in the sentence, as texts. Which ones depends on the code. Lists are separated by commas',
};

class DnsWarningResponse {
  @Enum(DNS_FINDING_CODES, CODE) code!: string;
  @MapOfText({ ...PARAMS, example: { hosts: 'mx.old.example' } }) params!: Record<string, string>;
  @Text({
    description: 'The sentence, in English',
    example: 'Some mail may also be delivered to mx.old.example.',
  })
  detail!: string;
}

class DnsCheckRow {
  @Text({ description: 'mx, spf, verification or dkim; dmarc, mta_sts or tls_rpt for advice', example: 'mx' })
  record!: string;
  @Text({ description: 'The type of the DNS record', example: 'MX' }) type!: string;
  @Text({ description: 'The name of the DNS record', example: 'example.com' }) name!: string;
  @ListOfText({
    description: 'The values of which one, or all, must be published',
    example: ['mx.mailstead.example'],
  })
  expected!: string[];
  @ListOfText({ description: 'The values in the DNS', example: ['mx.mailstead.example', 'mx.old.example'] })
  found!: string[];
  @ListOf(RecordToPublishResponse, {
    description: 'The records to publish, also those that are published; empty when no specific one is needed',
  })
  records!: RecordToPublishResponse[];
  @Bool({
    optional: true,
    description:
      'True while nobody has set up mail servers: `records` has invented values, not to be published. Left out otherwise',
  })
  example?: boolean;
  @Enum(['ok', 'missing', 'mismatch', 'error'], { description: 'The result of the comparison' }) status!: string;
  @Bool({ description: 'Whether `ok` of the response depends on this check' }) required!: boolean;
  @Enum(DNS_FINDING_CODES, { ...CODE, example: 'mx_arrives' }) code!: string;
  @MapOfText({ ...PARAMS, example: {} }) params!: Record<string, string>;
  @ListOf(DnsWarningResponse, {
    description: 'What is wrong besides, whatever the status is, such as `foreign_mx`: an MX that is not ours',
  })
  warnings!: DnsWarningResponse[];
  @Text({
    description: 'The sentence of the code and those of the warnings, in English, for people',
    example: 'Mail arrives here. Some mail may also be delivered to mx.old.example.',
  })
  detail!: string;
}

const FRONT_HOSTS_EXAMPLE = ['mx1.filter.example', 'mx2.filter.example'];

export class FrontHostsBody {
  @ListOfText({
    max: MOST_FRONT_HOSTS,
    maxLength: 254,
    rule: hostName,
    description: 'The hosts, as MX records name them; empty to withdraw what was said',
    example: FRONT_HOSTS_EXAMPLE,
  })
  hosts!: string[];
}

export class FrontHostsResponse {
  @ListOfText({
    description: 'The hosts that stand in front of the service, as the holder of the domain said; empty for none',
    example: FRONT_HOSTS_EXAMPLE,
  })
  hosts!: string[];
  @Time({ nullable: true, description: 'When it was said; null when nothing is said' }) said_at!: string | null;
}

export class OwnFrontHostsResponse extends FrontHostsResponse {
  @Integer(REVISION) revision!: number;
}

class CheckedFrontHostsResponse extends FrontHostsResponse {
  @ListOfText({
    description:
      'The hosts of somebody else at which mail arrives first, for `PUT …/front-hosts`; empty when the check `mx` is right, and when they cannot be said: more than 20, or no names of hosts',
    example: [],
  })
  first!: string[];
}

export class DnsCheckResponse {
  @Text({ description: 'The name of the domain', example: 'example.com' }) name!: string;
  @Bool({ description: 'Whether every required check is ok' }) ok!: boolean;
  @Time({ description: 'When the DNS was queried' }) checked_at!: string;
  @Nested(DnsZoneResponse, { description: 'The DNS zone that the records belong to' }) zone!: DnsZoneResponse;
  @Nested(CheckedFrontHostsResponse, { description: 'Hosts in front of the service' })
  front_hosts!: CheckedFrontHostsResponse;
  @Integer(REVISION) revision!: number;
  @ListOf(DnsCheckRow, { description: 'The checks; at least mx, spf, verification and dkim' }) checks!: DnsCheckRow[];
}

export function presentFrontHosts(said: FrontHosts | null): FrontHostsResponse {
  return said === null ? { hosts: [], said_at: null } : { hosts: said.hosts, said_at: timestamp(said.saidAt) };
}

export function presentDnsCheck(
  { name, revision }: Domain,
  { zone, checks }: DnsReport,
  said: FrontHosts | null,
  now: Date,
): DnsCheckResponse {
  const { hosts, said_at } = presentFrontHosts(said);
  return {
    name,
    ok: isDnsOk(checks),
    checked_at: timestamp(now),
    zone: { name: zone.name, name_servers: zone.nameServers, provider: zone.provider },
    front_hosts: { hosts, said_at, first: checks.flatMap(({ first = [] }) => first) },
    revision,
    checks: checks.map(presentCheck),
  };
}

function presentCheck(check: ReportedCheck): DnsCheckRow {
  return {
    record: check.record,
    type: check.type,
    name: check.name,
    expected: check.expected,
    found: check.found,
    records: check.records.map(({ type, name, relativeName, priority, value }) => ({
      type,
      name,
      relative_name: relativeName,
      priority,
      value,
    })),
    ...(check.isExample ? { example: true } : {}),
    status: check.status,
    required: check.required,
    code: check.code,
    params: check.params,
    warnings: check.warnings.map(presentFinding),
    detail: check.detail,
  };
}

function presentFinding({ code, params, detail }: DnsFinding): DnsWarningResponse {
  return { code, params, detail };
}
