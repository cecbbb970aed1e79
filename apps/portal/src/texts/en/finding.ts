import type { DnsCheckRow } from '../../api/shapes.js';

/** What dns-check found, by `code`, with its `params`. */
export const finding = {
  lookup_failed: '{name} could not be looked up: {reason}. Try again later.',
  name_doubled: 'The record is at {found_at}: the domain name was appended twice. Enter the name without {domain}.',
  name_is_cname:
    '{name} is a CNAME of {target}, so what was found are the records of {target}, and no other record may be beside a CNAME (RFC 1034 section 3.6.2, RFC 2181 section 10.1). Replace it with A and AAAA records, or with what the DNS provider calls ALIAS, and publish the records of the domain beside them.',
  verification_inherited: 'The verification of {parent} counts for this domain. It needs no record of its own.',
  verification_inherited_hidden:
    'The verification of its parent domain counts for this domain. It needs no record of its own.',
  mx_ok: 'The MX records are as expected.',
  mx_arrives: 'Mail arrives here.',
  mx_incomplete: 'Mail arrives here. Add {hosts} so that mail still arrives when one host fails.',
  mx_own_name: 'The MX names {host}, a name of your own that has the address of this service. Mail arrives here.',
  mx_implicit:
    '{name} has no MX record, but mail arrives by the address of the domain (RFC 5321 section 5.1). Publish an MX record for {hosts} all the same.',
  mx_missing: '{name} has no MX record. Publish an MX record for {hosts}.',
  mx_null: '{name} has a null MX, which means that it accepts no mail. Publish an MX record for {hosts}.',
  mx_elsewhere:
    'Mail for {name} is delivered to other hosts: {found}. Publish an MX record for {hosts}, or say that the hosts stand in front of this service.',
  mx_behind:
    'Mail for {name} arrives at {found} first, because the numbers of their MX records are not higher than ours. Remove these records, or say that the hosts stand in front of this service.',
  mx_mailboxes:
    'Mail for {name} arrives at {found} first, in mailboxes of {provider}. Publish an MX record for {hosts} alone, or say that the hosts stand in front of this service.',
  mx_in_front:
    'Mail arrives at {found} first. These hosts stand in front of this service, as the holder of the domain said.',
  mx_host_doubled:
    'The MX names {host}.{domain}: the domain name was appended to the host. End the host with a dot, or leave the domain out. Publish an MX record for {hosts}.',
  mx_hosts_unset: 'The mail hosts of this service are not set up, so the MX records cannot be compared with them.',
  mx_missing_hosts_unset: '{name} has no MX record. The mail hosts of this service are not set up.',
  mx_null_hosts_unset:
    '{name} has a null MX, which means that it accepts no mail. The mail hosts of this service are not set up.',
  foreign_mx:
    'Some mail may also be delivered to {hosts}. Remove the MX records of these hosts if all mail is to arrive here.',
  spf_ok: 'The SPF record allows the relay to send.',
  spf_missing: '{name} has no SPF record. Publish a TXT record with the value {value}.',
  spf_missing_include_unset: '{name} has no SPF record. What it must include is not set up.',
  spf_include_unset: 'What SPF records must include is not set up, so only the form of this one was checked.',
  spf_quoted: 'The SPF record has quotation marks or blanks around it. Enter it without them.',
  spf_duplicate: 'There are {count} SPF records, and receivers then reject all of them. Merge them into one.',
  spf_unread: 'The SPF record could not be read completely: {reason}. Try again later.',
  spf_include_after_all: 'include:{include} is after "all", where receivers do not read it. Move it before "all".',
  spf_include_qualified: 'Remove the {qualifier} before include:{include}; with it the relay does not pass.',
  spf_include_doubled: 'The domain name was appended to the include. It must be include:{include}.',
  spf_include_missing: 'The SPF record does not lead to include:{include}. Add it before "all".',
  spf_addresses_refused:
    'The SPF record does not allow all addresses of the relay: {addresses}. Put include:{include} at its beginning.',
  spf_refused_by: '"{term}" in the SPF record of {name} refuses the relay. Put include:{include} before it.',
  spf_unknown_term: 'The SPF record of {name} has "{term}", which is not part of SPF.',
  spf_wrong_address:
    'The SPF record of {name} has "{term}", which has no valid IP address, so receivers stop with an error.',
  spf_wrong_prefix:
    'The SPF record of {name} has "{term}", whose prefix length is wrong, so receivers stop with an error.',
  spf_wrong_name:
    'The SPF record of {name} has "{term}", which has no complete domain name, so receivers stop with an error.',
  spf_wrong_macro: 'The SPF record of {name} has "{term}", whose macro is wrong, so receivers stop with an error.',
  spf_doubled_modifier:
    'The SPF record of {name} has "{term}" beside another one of its kind, so receivers stop with an error.',
  spf_included_missing: '{name}, which the SPF record includes, has no SPF record.',
  spf_included_duplicate: '{name}, which the SPF record includes, has several SPF records.',
  spf_too_many_lookups:
    'The SPF record takes more than {limit} DNS look-ups (at {name}), so receivers stop with an error.',
  spf_too_many_mx:
    'The SPF record names {name} by "mx", which has more than {limit} MX records, so receivers stop with an error.',
  spf_allows_all: '"+all" in the SPF record of {name} allows every server to send as this domain.',
  spf_flattened:
    'The SPF record has the addresses of the relay in place of include:{include}. They may change, and are then missing.',
  spf_depends_on_sender:
    'Whether "{term}" in the SPF record of {name} allows the relay depends on the sender or on the server\'s name.',
  spf_nameless_term: '"{term}" in the SPF record of {name} has a name that cannot be looked up, so it allows nobody.',
  spf_void_lookups:
    'The SPF record looks up more than {limit} names that do not exist, and some receivers then stop with an error.',
  verification_ok: 'The ownership record is as expected.',
  verification_missing: 'There is no TXT record at {name}. Publish one with the value {value}.',
  verification_quoted: 'The value has quotation marks or blanks around it. Enter it without them.',
  verification_start_missing: 'The start of the value is missing. It must be {value}.',
  verification_other_token: 'The token does not belong to this domain. Replace it with {value}.',
  verification_other_value: 'No TXT record at this name has the value {value}.',
  dkim_ok: 'The DKIM record is as expected.',
  dkim_not_created: 'The relay provider has not created the DKIM keys of this domain yet.',
  dkim_refused: '{reason}',
  dkim_txt_missing: 'There is no TXT record at {name}. Publish one with the value shown.',
  dkim_cname_missing: 'There is no CNAME record at {name}. Publish one that points to {target}.',
  dkim_quoted: 'The value has quotation marks around it. Enter it without them.',
  dkim_other_value: 'No TXT record at this name has the expected value. Replace it with the value shown.',
  dkim_wrong_type: 'The value was published as TXT. The type must be CNAME.',
  dkim_flattened: 'The key is published as TXT instead of the CNAME, and it is correct.',
  dkim_flattened_other:
    'A TXT record at this name is not the key of {target}. Replace it with a CNAME that points to {target}.',
  dkim_target_doubled: 'The domain name was appended to the target. Enter {target} with a dot at the end.',
  dkim_other_key: 'This name points to another key of the domain. It must point to {target}.',
  dkim_other_zone: 'The key is correct, but the zone is not: the target must end in {zone}.',
  dkim_other_target: 'The CNAME points to {found}. It must point to {target}.',
  dkim_same_key: 'The CNAME points to {found}, where the key of {target} is. It is correct.',
  dkim_duplicate:
    'There are {count} DKIM records at {name}, so it is undefined which key receivers use (RFC 6376 section 3.6.2.2). Keep the one of the relay provider.',
  dkim_revoked:
    'The key at {name} is empty, which means that it is revoked (RFC 6376 section 3.6.1). Replace the record with the one shown.',
  dkim_revoked_by_provider:
    'The key at {target} is empty, which means that it is revoked (RFC 6376 section 3.6.1). Only the relay provider can change that.',
  dkim_unconfirmed: 'The relay provider has not confirmed this record yet. It looks for it again by itself.',
  advice_ok: 'The record is well formed.',
  advice_quoted: 'The record has quotation marks or blanks around it. Enter it without them.',
  advice_duplicate: 'There are {count} such records, and receivers then ignore all of them. Keep one.',
  dmarc_missing: 'There is no DMARC record. Large receivers require one; start with v=DMARC1; p=none at {name}.',
  dmarc_incomplete:
    'A policy of the DMARC record (p, sp or np) is not none, quarantine or reject (RFC 9989 section 4.7).',
  dmarc_no_policy: 'The DMARC record has no p, which counts as p=none (RFC 9989).',
  dmarc_historic: 'Receivers no longer read these parts of the DMARC record: {tags} (RFC 9989).',
  dmarc_inherited: 'The DMARC record of {parent} applies.',
  dmarc_other_version:
    'The record begins with "{beginning}", so receivers do not read it. A DMARC record must begin with v=DMARC1, written like this (RFC 9989 section 4.7).',
  mta_sts_missing:
    'There is no MTA-STS record, so an attacker can make senders deliver without TLS. It is optional (RFC 8461).',
  mta_sts_other_version:
    'The record begins with "{beginning}", so senders do not read it. An MTA-STS record must begin with v=STSv1; written like this (RFC 8461 section 3.1).',
  mta_sts_field:
    'The part "{field}" of the MTA-STS record is not a name, = and a value without blanks, so senders ignore the record (RFC 8461 section 3.1).',
  mta_sts_incomplete: 'The MTA-STS record has no id= in small letters (RFC 8461 section 3.1).',
  mta_sts_ids: 'The MTA-STS record has {count} ids. Keep one (RFC 8461 section 3.1).',
  mta_sts_id:
    'The id "{id}" of the MTA-STS record is not 1 to 32 letters and digits, so senders ignore the record (RFC 8461 section 3.1).',
  tls_rpt_missing: 'There is no TLS-RPT record, so senders do not report failures of TLS. It is optional (RFC 8460).',
  tls_rpt_other_version:
    'The record begins with "{beginning}", so senders do not read it. A TLS-RPT record must begin with v=TLSRPTv1; written like this (RFC 8460 section 3).',
  tls_rpt_field:
    'The part "{field}" of the TLS-RPT record is not a name, = and a value without blanks, so senders ignore the record (RFC 8460 section 3).',
  tls_rpt_incomplete: 'The TLS-RPT record has no rua with an address for the reports (RFC 8460 section 3).',
  tls_rpt_uri:
    '"{uri}" in the rua of the TLS-RPT record is not an address that begins with mailto: or https: (RFC 8460 section 3). Commas separate several.',
} as const satisfies Record<DnsCheckRow['code'], string>;
