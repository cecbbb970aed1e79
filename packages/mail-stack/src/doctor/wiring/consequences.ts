/** A consequence, and the names of the lines from which it follows. */
type Rule = readonly [names: RegExp, consequence: string];

const UNCOUNTED = 'a message could leave without being counted, or be counted and then refused';
const STRANGERS = 'a stranger could send through this server, or to addresses that do not exist';
const OTHERS_NAME = 'a mailbox could send in the name of another, or although it may not send';
const LEAVES = 'mail could leave by another way, or one partner’s mail by the relay of another';
const READABLE = 'mail or passwords could be read on their way';
const DELIVERY = 'mail could be lost, doubled, or delivered to somebody else';
const NOTICES = 'a notice that Postfix makes itself could leave the platform';
const PRETENDS = 'a client could pretend to be another host or user';
const FLUSHED = 'a stranger could have queued mail sent again and again (ETRN)';
const HELD = 'the mail of a suspended or held domain could be delivered, sent or bounced';

const COPIED = 'mail could be copied to somebody, changed or discarded';
const CODE = 'foreign code could run with the rights of the mail server, which reads all mail and passwords';
const DOOR = 'a further port could take mail that none of the rules protects';

const SHARED = 'with Dovecot 2.3, the end of the sessions of one mailbox would end those of others';

/** The first that fits holds. Names as `Lines` of Postfix have them. */
const POSTFIX: readonly Rule[] = [
  [
    /^((import|export)_environment|(daemon|command|shlib|meta)_directory|(mailbox|forward|debugger)_command|(sendmail|newaliases|mailq)_path|multi_instance_wrapper|mail_owner|setgid_group|default_privs)$/,
    CODE,
  ],
  [/^(bounce|defer|trace) unix |^notices unix|^notice_alias_maps$|^notify_classes$/, NOTICES],
  [
    /(^| )(smtpd_milters|non_smtpd_milters|smtpd_milter_maps|milter_\w+|receive_override_options|content_filter|smtpd_proxy_filter|smtpd_end_of_data_restrictions|enable_long_queue_ids|outbound_policy|outside_policy|hosted_(first|last))$/,
    UNCOUNTED,
  ],
  [/(^| )smtpd_authorized_x\w+_hosts$|(^| )smtpd_upstream_proxy_protocol$|postscreen/, PRETENDS],
  [/(^| )smtpd_(sender_\w+|data_restrictions)$|^held_login$|(^| )authorized_submit_users$/, OTHERS_NAME],
  [/(^| )smtpd_(tls_\w+|sasl_\w+)$|(^| )smtp_tls_\w+$|(^| )relay_tls\w*$/, READABLE],
  [/_bcc|(^| )(header|mime_header|nested_header|body)_checks$|_generic_maps$/, COPIED],
  [/ inet$/, DOOR],
  [/^relay_(domains|recipient_maps)$/, STRANGERS],
  [/transport|^suspended_recipient$/, HELD],
  [
    / (unix|fifo|pass|unix-dgram)$|(^| )(default_transport|relayhost|smtp_sasl_\w+|smtp_header_checks|smtp_host_lookup|relay_\w+)$/,
    LEAVES,
  ],
  [/(^| )(fast_flush_domains|smtpd_etrn_restrictions)$/, FLUSHED],
  [
    /(^| )(sql|routing|doctor_\w+|mynetworks\w*|smtpd_(relay|recipient|client|helo)_restrictions|smtpd_reject_unlisted_\w+|hosted_\w+|capped_recipient|quota_policy|smtpd_restriction_classes|no_address|smtputf8_enable|strict_smtputf8|smtpd_command_filter|allow_percent_hack|swap_bangpath|resolve_dequoted_address|address_verify_sender|local_recipient_maps|disable_vrfy_command|smtpd_forbid_\w+|smtpd_discard_ehlo_keywords)$/,
    STRANGERS,
  ],
  [/virtual_|alias|canonical|lmtp|duplicate|original_recipient|mydestination|recipient_delimiter/, DELIVERY],
];

const DOVECOT: readonly Rule[] = [
  [/^service (imap|pop3) \/ client_limit$|^imap_hibernate_timeout$/, SHARED],
  [/^(import_environment|mail_plugin_dir|libexec_dir|sendmail_path)$|\/ executable$|^dict |_script$/, CODE],
  [/^auth_(debug|verbose)/, READABLE],
  [
    /(process_limit|process_min_avail|client_limit|vsz_limit|service_count|restart_request_count)$|^mail_(max_userip_connections|cache_max_size)$/,
    'mail programs could be refused while others are open, or end with them, and large folders not be readable',
  ],
  [
    /^passdb|password_query|pass_scheme|^auth_(policy|cache|username|mechanisms|failure|default_realm|master)|^service auth /,
    OTHERS_NAME,
  ],
  [/^(sql_driver|mysql )/, 'Dovecot could ask another database, or none, and then nobody logs in and no mail arrives'],
  [/^(ssl|disable_plaintext_auth|auth_allow_cleartext)|login_trusted|\/ ssl$/, READABLE],
  [/sieve/, COPIED],
  [/quota_(rule\d|storage_extra)|trash_slack/, 'a full mailbox could not be emptied, or take more than its quota'],
  [/quota|deliver_log_format/, 'a full mailbox could be found out too late, or traffic not be counted'],
  [/^userdb|user_query|^mail_|^namespace|iterate_query|lmtp/, DELIVERY],
];

/** Returns what can follow when the line of Postfix's configuration with this name is not the rendered one. */
export const postfixConsequence = (name: string): string => consequenceOf(POSTFIX, name);

/** Returns what can follow when the line of Dovecot's configuration with this name is not the rendered one. */
export const dovecotConsequence = (name: string): string => consequenceOf(DOVECOT, name);

function consequenceOf(rules: readonly Rule[], name: string): string {
  const rule = rules.find(([names]) => names.test(name));
  return rule?.[1] ?? 'the mail server does something else than the documents and tests say';
}
