/** The parameters of a sentence. All are text, so that a program can put them into its own translation. */
type With<Names extends string = never> = Record<Names, string>;

/** What a check can find, under stable codes, with the parameters of each. Lists are separated by commas. */
interface Findings {
  lookup_failed: With<'name' | 'reason'>;
  /** The domain was appended to the name of the record: the record is at `found_at`. */
  name_doubled: With<'found_at' | 'domain'>;
  /** The domain's own name is a CNAME, so that its records are those of the target. */
  name_is_cname: With<'name' | 'target'>;
  verification_inherited: With<'parent'>;
  verification_inherited_hidden: With;

  mx_ok: With;
  mx_arrives: With;
  mx_incomplete: With<'hosts'>;
  mx_own_name: With<'host'>;
  mx_implicit: With<'name' | 'hosts'>;
  mx_missing: With<'name' | 'hosts'>;
  mx_null: With<'name' | 'hosts'>;
  mx_elsewhere: With<'name' | 'found' | 'hosts'>;
  mx_behind: With<'name' | 'found'>;
  mx_mailboxes: With<'name' | 'found' | 'provider' | 'hosts'>;
  mx_in_front: With<'found'>;
  mx_host_doubled: With<'host' | 'domain' | 'hosts'>;
  mx_hosts_unset: With;
  mx_missing_hosts_unset: With<'name'>;
  mx_null_hosts_unset: With<'name'>;
  foreign_mx: With<'hosts'>;

  spf_ok: With;
  spf_missing: With<'name' | 'value'>;
  spf_missing_include_unset: With<'name'>;
  spf_include_unset: With;
  spf_quoted: With;
  spf_duplicate: With<'count'>;
  spf_unread: With<'reason'>;
  spf_include_after_all: With<'include'>;
  spf_include_qualified: With<'include' | 'qualifier'>;
  spf_include_doubled: With<'include'>;
  spf_include_missing: With<'include'>;
  spf_addresses_refused: With<'addresses' | 'include'>;
  spf_refused_by: With<'name' | 'term' | 'include'>;
  spf_unknown_term: With<'name' | 'term'>;
  spf_wrong_address: With<'name' | 'term'>;
  spf_wrong_prefix: With<'name' | 'term'>;
  spf_wrong_name: With<'name' | 'term'>;
  spf_wrong_macro: With<'name' | 'term'>;
  spf_doubled_modifier: With<'name' | 'term'>;
  spf_included_missing: With<'name'>;
  spf_included_duplicate: With<'name'>;
  spf_too_many_lookups: With<'name' | 'limit'>;
  spf_too_many_mx: With<'name' | 'limit'>;
  spf_allows_all: With<'name'>;
  spf_flattened: With<'include'>;
  spf_depends_on_sender: With<'name' | 'term'>;
  spf_nameless_term: With<'name' | 'term'>;
  spf_void_lookups: With<'limit'>;

  verification_ok: With;
  verification_missing: With<'name' | 'value'>;
  verification_quoted: With;
  verification_start_missing: With<'value'>;
  verification_other_token: With<'value'>;
  verification_other_value: With<'value'>;

  dkim_ok: With;
  dkim_not_created: With;
  dkim_refused: With<'reason'>;
  dkim_txt_missing: With<'name'>;
  dkim_cname_missing: With<'name' | 'target'>;
  dkim_quoted: With;
  dkim_other_value: With;
  dkim_wrong_type: With;
  dkim_flattened: With;
  dkim_flattened_other: With<'target'>;
  dkim_target_doubled: With<'target'>;
  dkim_other_key: With<'target'>;
  dkim_other_zone: With<'zone'>;
  dkim_other_target: With<'found' | 'target'>;
  /** Other CNAMEs, or a DNAME, lead to the key of the target. */
  dkim_same_key: With<'found' | 'target'>;
  dkim_duplicate: With<'name' | 'count'>;
  dkim_revoked: With<'name'>;
  dkim_revoked_by_provider: With<'target'>;
  dkim_unconfirmed: With;

  advice_ok: With;
  advice_quoted: With;
  advice_duplicate: With<'count'>;
  dmarc_missing: With<'name'>;
  dmarc_incomplete: With;
  dmarc_no_policy: With;
  dmarc_historic: With<'tags'>;
  dmarc_inherited: With<'parent'>;
  /** `beginning`: what stands before the first semicolon of the record that is there instead. */
  dmarc_other_version: With<'beginning'>;
  mta_sts_missing: With;
  mta_sts_other_version: With<'beginning'>;
  mta_sts_field: With<'field'>;
  mta_sts_incomplete: With;
  mta_sts_ids: With<'count'>;
  mta_sts_id: With<'id'>;
  tls_rpt_missing: With;
  tls_rpt_other_version: With<'beginning'>;
  tls_rpt_field: With<'field'>;
  tls_rpt_incomplete: With;
  tls_rpt_uri: With<'uri'>;
}

export type DnsFindingCode = keyof Findings;

/** What a check found: a stable code for programs, and the sentence for people in English. */
export interface DnsFinding {
  code: DnsFindingCode;
  params: Record<string, string>;
  detail: string;
}

/** The sentences of all findings, each of one or two sentences for the holder of the domain. */
const SENTENCES: { readonly [Code in DnsFindingCode]: (params: Findings[Code]) => string } = {
  lookup_failed: ({ name, reason }) => `${name} could not be looked up: ${reason}. Try again later.`,
  name_doubled: ({ found_at, domain }) =>
    `The record is at ${found_at}: the domain name was appended twice. Enter the name without ${domain}.`,
  name_is_cname: ({ name, target }) =>
    `${name} is a CNAME of ${target}, so what was found are the records of ${target}, and no other record may be beside a CNAME (RFC 1034 section 3.6.2, RFC 2181 section 10.1). Replace it with A and AAAA records, or with what the DNS provider calls ALIAS, and publish the records of the domain beside them.`,
  verification_inherited: ({ parent }) =>
    `The verification of ${parent} counts for this domain. It needs no record of its own.`,
  verification_inherited_hidden: () =>
    'The verification of its parent domain counts for this domain. It needs no record of its own.',

  mx_ok: () => 'The MX records are as expected.',
  mx_arrives: () => 'Mail arrives here.',
  mx_incomplete: ({ hosts }) => `Mail arrives here. Add ${hosts} so that mail still arrives when one host fails.`,
  mx_own_name: ({ host }) =>
    `The MX names ${host}, a name of your own that has the address of this service. Mail arrives here.`,
  mx_implicit: ({ name, hosts }) =>
    `${name} has no MX record, but mail arrives by the address of the domain (RFC 5321 section 5.1). ${publishMx(hosts, ' all the same')}`,
  mx_missing: ({ name, hosts }) => `${name} has no MX record. ${publishMx(hosts)}`,
  mx_null: ({ name, hosts }) => `${name} has a null MX, which means that it accepts no mail. ${publishMx(hosts)}`,
  mx_elsewhere: ({ name, found, hosts }) =>
    `Mail for ${name} is delivered to other hosts: ${found}. ${publishMx(hosts, ', or say that the hosts stand in front of this service')}`,
  mx_behind: ({ name, found }) =>
    `Mail for ${name} arrives at ${found} first, because the numbers of their MX records are not higher than ours. Remove these records, or say that the hosts stand in front of this service.`,
  mx_mailboxes: ({ name, found, provider, hosts }) =>
    `Mail for ${name} arrives at ${found} first, in mailboxes of ${provider}. ${publishMx(hosts, ' alone, or say that the hosts stand in front of this service')}`,
  mx_in_front: ({ found }) =>
    `Mail arrives at ${found} first. These hosts stand in front of this service, as the holder of the domain said.`,
  mx_host_doubled: ({ host, domain, hosts }) =>
    `The MX names ${host}.${domain}: the domain name was appended to the host. End the host with a dot, or leave the domain out. ${publishMx(hosts)}`,
  mx_hosts_unset: () =>
    'The mail hosts of this service are not set up, so the MX records cannot be compared with them.',
  mx_missing_hosts_unset: ({ name }) => `${name} has no MX record. The mail hosts of this service are not set up.`,
  mx_null_hosts_unset: ({ name }) =>
    `${name} has a null MX, which means that it accepts no mail. The mail hosts of this service are not set up.`,
  foreign_mx: ({ hosts }) =>
    `Some mail may also be delivered to ${hosts}. Remove the MX records of these hosts if all mail is to arrive here.`,

  spf_ok: () => 'The SPF record allows the relay to send.',
  spf_missing: ({ name, value }) => `${name} has no SPF record. Publish a TXT record with the value ${value}.`,
  spf_missing_include_unset: ({ name }) => `${name} has no SPF record. What it must include is not set up.`,
  spf_include_unset: () => 'What SPF records must include is not set up, so only the form of this one was checked.',
  spf_quoted: () => 'The SPF record has quotation marks or blanks around it. Enter it without them.',
  spf_duplicate: ({ count }) =>
    `There are ${count} SPF records, and receivers then reject all of them. Merge them into one.`,
  spf_unread: ({ reason }) => `The SPF record could not be read completely: ${reason}. Try again later.`,
  spf_include_after_all: ({ include }) =>
    `include:${include} is after "all", where receivers do not read it. Move it before "all".`,
  spf_include_qualified: ({ include, qualifier }) =>
    `Remove the ${qualifier} before include:${include}; with it the relay does not pass.`,
  spf_include_doubled: ({ include }) => `The domain name was appended to the include. It must be include:${include}.`,
  spf_include_missing: ({ include }) => `The SPF record does not lead to include:${include}. Add it before "all".`,
  spf_addresses_refused: ({ addresses, include }) =>
    `The SPF record does not allow all addresses of the relay: ${addresses}. Put include:${include} at its beginning.`,
  spf_refused_by: ({ name, term, include }) =>
    `"${term}" in the SPF record of ${name} refuses the relay. Put include:${include} before it.`,
  spf_unknown_term: ({ name, term }) => `The SPF record of ${name} has "${term}", which is not part of SPF.`,
  spf_wrong_address: ({ name, term }) =>
    `The SPF record of ${name} has "${term}", which has no valid IP address, so receivers stop with an error.`,
  spf_wrong_prefix: ({ name, term }) =>
    `The SPF record of ${name} has "${term}", whose prefix length is wrong, so receivers stop with an error.`,
  spf_wrong_name: ({ name, term }) =>
    `The SPF record of ${name} has "${term}", which has no complete domain name, so receivers stop with an error.`,
  spf_wrong_macro: ({ name, term }) =>
    `The SPF record of ${name} has "${term}", whose macro is wrong, so receivers stop with an error.`,
  spf_doubled_modifier: ({ name, term }) =>
    `The SPF record of ${name} has "${term}" beside another one of its kind, so receivers stop with an error.`,
  spf_included_missing: ({ name }) => `${name}, which the SPF record includes, has no SPF record.`,
  spf_included_duplicate: ({ name }) => `${name}, which the SPF record includes, has several SPF records.`,
  spf_too_many_lookups: ({ name, limit }) =>
    `The SPF record takes more than ${limit} DNS look-ups (at ${name}), so receivers stop with an error.`,
  spf_too_many_mx: ({ name, limit }) =>
    `The SPF record names ${name} by "mx", which has more than ${limit} MX records, so receivers stop with an error.`,
  spf_allows_all: ({ name }) => `"+all" in the SPF record of ${name} allows every server to send as this domain.`,
  spf_flattened: ({ include }) =>
    `The SPF record has the addresses of the relay in place of include:${include}. They may change, and are then missing.`,
  spf_depends_on_sender: ({ name, term }) =>
    `Whether "${term}" in the SPF record of ${name} allows the relay depends on the sender or on the server's name.`,
  spf_nameless_term: ({ name, term }) =>
    `"${term}" in the SPF record of ${name} has a name that cannot be looked up, so it allows nobody.`,
  spf_void_lookups: ({ limit }) =>
    `The SPF record looks up more than ${limit} names that do not exist, and some receivers then stop with an error.`,

  verification_ok: () => 'The ownership record is as expected.',
  verification_missing: ({ name, value }) => `There is no TXT record at ${name}. Publish one with the value ${value}.`,
  verification_quoted: () => 'The value has quotation marks or blanks around it. Enter it without them.',
  verification_start_missing: ({ value }) => `The start of the value is missing. It must be ${value}.`,
  verification_other_token: ({ value }) => `The token does not belong to this domain. Replace it with ${value}.`,
  verification_other_value: ({ value }) => `No TXT record at this name has the value ${value}.`,

  dkim_ok: () => 'The DKIM record is as expected.',
  dkim_not_created: () => 'The relay provider has not created the DKIM keys of this domain yet.',
  dkim_refused: ({ reason }) => reason,
  dkim_txt_missing: ({ name }) => `There is no TXT record at ${name}. Publish one with the value shown.`,
  dkim_cname_missing: ({ name, target }) =>
    `There is no CNAME record at ${name}. Publish one that points to ${target}.`,
  dkim_quoted: () => 'The value has quotation marks around it. Enter it without them.',
  dkim_other_value: () => 'No TXT record at this name has the expected value. Replace it with the value shown.',
  dkim_wrong_type: () => 'The value was published as TXT. The type must be CNAME.',
  dkim_flattened: () => 'The key is published as TXT instead of the CNAME, and it is correct.',
  dkim_flattened_other: ({ target }) =>
    `A TXT record at this name is not the key of ${target}. Replace it with a CNAME that points to ${target}.`,
  dkim_target_doubled: ({ target }) =>
    `The domain name was appended to the target. Enter ${target} with a dot at the end.`,
  dkim_other_key: ({ target }) => `This name points to another key of the domain. It must point to ${target}.`,
  dkim_other_zone: ({ zone }) => `The key is correct, but the zone is not: the target must end in ${zone}.`,
  dkim_other_target: ({ found, target }) => `The CNAME points to ${found}. It must point to ${target}.`,
  dkim_same_key: ({ found, target }) => `The CNAME points to ${found}, where the key of ${target} is. It is correct.`,
  dkim_duplicate: ({ name, count }) =>
    `There are ${count} DKIM records at ${name}, so it is undefined which key receivers use (RFC 6376 section 3.6.2.2). Keep the one of the relay provider.`,
  dkim_revoked: ({ name }) =>
    `The key at ${name} is empty, which means that it is revoked (RFC 6376 section 3.6.1). Replace the record with the one shown.`,
  dkim_revoked_by_provider: ({ target }) =>
    `The key at ${target} is empty, which means that it is revoked (RFC 6376 section 3.6.1). Only the relay provider can change that.`,
  dkim_unconfirmed: () => 'The relay provider has not confirmed this record yet. It looks for it again by itself.',

  advice_ok: () => 'The record is well formed.',
  advice_quoted: () => 'The record has quotation marks or blanks around it. Enter it without them.',
  advice_duplicate: ({ count }) => `There are ${count} such records, and receivers then ignore all of them. Keep one.`,
  dmarc_missing: ({ name }) =>
    `There is no DMARC record. Large receivers require one; start with v=DMARC1; p=none at ${name}.`,
  dmarc_incomplete: () =>
    'A policy of the DMARC record (p, sp or np) is not none, quarantine or reject (RFC 9989 section 4.7).',
  dmarc_no_policy: () => 'The DMARC record has no p, which counts as p=none (RFC 9989).',
  dmarc_historic: ({ tags }) => `Receivers no longer read these parts of the DMARC record: ${tags} (RFC 9989).`,
  dmarc_inherited: ({ parent }) => `The DMARC record of ${parent} applies.`,
  dmarc_other_version: ({ beginning }) =>
    `The record begins with "${beginning}", so receivers do not read it. A DMARC record must begin with v=DMARC1, written like this (RFC 9989 section 4.7).`,
  mta_sts_missing: () =>
    'There is no MTA-STS record, so an attacker can make senders deliver without TLS. It is optional (RFC 8461).',
  mta_sts_other_version: ({ beginning }) =>
    `The record begins with "${beginning}", so senders do not read it. An MTA-STS record must begin with v=STSv1; written like this (RFC 8461 section 3.1).`,
  mta_sts_field: ({ field }) =>
    `The part "${field}" of the MTA-STS record is not a name, = and a value without blanks, so senders ignore the record (RFC 8461 section 3.1).`,
  mta_sts_incomplete: () => 'The MTA-STS record has no id= in small letters (RFC 8461 section 3.1).',
  mta_sts_ids: ({ count }) => `The MTA-STS record has ${count} ids. Keep one (RFC 8461 section 3.1).`,
  mta_sts_id: ({ id }) =>
    `The id "${id}" of the MTA-STS record is not 1 to 32 letters and digits, so senders ignore the record (RFC 8461 section 3.1).`,
  tls_rpt_missing: () =>
    'There is no TLS-RPT record, so senders do not report failures of TLS. It is optional (RFC 8460).',
  tls_rpt_other_version: ({ beginning }) =>
    `The record begins with "${beginning}", so senders do not read it. A TLS-RPT record must begin with v=TLSRPTv1; written like this (RFC 8460 section 3).`,
  tls_rpt_field: ({ field }) =>
    `The part "${field}" of the TLS-RPT record is not a name, = and a value without blanks, so senders ignore the record (RFC 8460 section 3).`,
  tls_rpt_incomplete: () => 'The TLS-RPT record has no rua with an address for the reports (RFC 8460 section 3).',
  tls_rpt_uri: ({ uri }) =>
    `"${uri}" in the rua of the TLS-RPT record is not an address that begins with mailto: or https: (RFC 8460 section 3). Commas separate several.`,
};

/** All codes, in the order of the table. */
export const DNS_FINDING_CODES = Object.keys(SENTENCES) as DnsFindingCode[];

/** The codes whose sentence needs no parameters. */
type PlainCode = { [Code in DnsFindingCode]: keyof Findings[Code] extends never ? Code : never }[DnsFindingCode];

export function finding(code: PlainCode): DnsFinding;
export function finding<Code extends DnsFindingCode>(code: Code, params: Findings[Code]): DnsFinding;
export function finding<Code extends DnsFindingCode>(code: Code, params = {} as Findings[Code]): DnsFinding {
  return { code, params, detail: SENTENCES[code](params) };
}

function publishMx(hosts: string, end = ''): string {
  return `Publish an MX record for ${hosts.replaceAll(', ', ' and ')}${end}.`;
}
