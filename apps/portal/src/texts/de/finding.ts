import type { Texts } from '../texts.js';

export const finding = {
  lookup_failed: '{name} konnte nicht abgefragt werden: {reason}. Versuchen Sie es später noch einmal.',
  name_doubled:
    'Der Eintrag steht unter {found_at}: Der Domainname wurde zweimal angehängt. Geben Sie den Namen ohne {domain} ein.',
  name_is_cname:
    '{name} ist ein CNAME von {target}. Gefunden wurden deshalb die Einträge von {target}, und neben einem CNAME darf kein anderer Eintrag stehen (RFC 1034, Abschnitt 3.6.2, RFC 2181, Abschnitt 10.1). Ersetzen Sie ihn durch A- und AAAA-Einträge oder durch das, was der DNS-Anbieter ALIAS nennt, und veröffentlichen Sie daneben die Einträge der Domain.',
  verification_inherited: 'Für diese Domain gilt die Bestätigung von {parent}. Sie braucht keinen eigenen Eintrag.',
  verification_inherited_hidden:
    'Für diese Domain gilt die Bestätigung ihrer übergeordneten Domain. Sie braucht keinen eigenen Eintrag.',
  mx_ok: 'Die MX-Einträge sind wie erwartet.',
  mx_arrives: 'E-Mails kommen hier an.',
  mx_incomplete:
    'E-Mails kommen hier an. Fügen Sie {hosts} hinzu, damit E-Mails auch ankommen, wenn ein Server ausfällt.',
  mx_own_name:
    'Der MX-Eintrag nennt {host}, einen Namen von Ihnen, der die Adresse dieses Dienstes hat. E-Mails kommen hier an.',
  mx_implicit:
    '{name} hat keinen MX-Eintrag, aber E-Mails kommen über die Adresse der Domain hier an (RFC 5321, Abschnitt 5.1). Veröffentlichen Sie trotzdem einen MX-Eintrag für {hosts}.',
  mx_missing: '{name} hat keinen MX-Eintrag. Veröffentlichen Sie einen MX-Eintrag für {hosts}.',
  mx_null:
    '{name} hat einen leeren MX-Eintrag (Null MX) und nimmt damit keine E-Mails an. Veröffentlichen Sie einen MX-Eintrag für {hosts}.',
  mx_elsewhere:
    'E-Mails für {name} werden an andere Server zugestellt: {found}. Veröffentlichen Sie einen MX-Eintrag für {hosts}, oder geben Sie an, dass diese Server vor diesem Dienst stehen.',
  mx_behind:
    'E-Mails für {name} kommen zuerst bei {found} an, weil die Zahlen dieser MX-Einträge nicht höher sind als unsere. Entfernen Sie diese Einträge, oder geben Sie an, dass die Server vor diesem Dienst stehen.',
  mx_mailboxes:
    'E-Mails für {name} kommen zuerst bei {found} an, in Postfächern von {provider}. Veröffentlichen Sie nur einen MX-Eintrag für {hosts}, oder geben Sie an, dass die Server vor diesem Dienst stehen.',
  mx_in_front:
    'E-Mails kommen zuerst bei {found} an. Diese Server stehen vor diesem Dienst, wie der Inhaber der Domain angegeben hat.',
  mx_host_doubled:
    'Der MX-Eintrag nennt {host}.{domain}: Der Domainname wurde an den Server angehängt. Setzen Sie einen Punkt hinter den Server, oder lassen Sie die Domain weg. Veröffentlichen Sie einen MX-Eintrag für {hosts}.',
  mx_hosts_unset:
    'Die Mailserver dieses Dienstes sind nicht eingerichtet. Deshalb können die MX-Einträge nicht mit ihnen verglichen werden.',
  mx_missing_hosts_unset: '{name} hat keinen MX-Eintrag. Die Mailserver dieses Dienstes sind nicht eingerichtet.',
  mx_null_hosts_unset:
    '{name} hat einen leeren MX-Eintrag (Null MX) und nimmt damit keine E-Mails an. Die Mailserver dieses Dienstes sind nicht eingerichtet.',
  foreign_mx:
    'Manche E-Mails werden vielleicht auch an {hosts} zugestellt. Entfernen Sie die MX-Einträge dieser Server, wenn alle E-Mails hier ankommen sollen.',
  spf_ok: 'Der SPF-Eintrag erlaubt dem Relay zu senden.',
  spf_missing: '{name} hat keinen SPF-Eintrag. Veröffentlichen Sie einen TXT-Eintrag mit dem Wert {value}.',
  spf_missing_include_unset: '{name} hat keinen SPF-Eintrag. Was er enthalten muss, ist nicht eingerichtet.',
  spf_include_unset:
    'Was SPF-Einträge enthalten müssen, ist nicht eingerichtet. Deshalb wurde nur die Form dieses Eintrags geprüft.',
  spf_quoted: 'Um den SPF-Eintrag stehen Anführungszeichen oder Leerzeichen. Geben Sie ihn ohne diese ein.',
  spf_duplicate:
    'Es gibt {count} SPF-Einträge, und Empfänger lehnen dann alle ab. Fassen Sie die Einträge zu einem zusammen.',
  spf_unread: 'Der SPF-Eintrag konnte nicht ganz gelesen werden: {reason}. Versuchen Sie es später noch einmal.',
  spf_include_after_all: 'include:{include} steht hinter „all“, wo Empfänger es nicht lesen. Setzen Sie es vor „all“.',
  spf_include_qualified:
    'Entfernen Sie das Zeichen {qualifier} vor include:{include}; damit besteht das Relay die Prüfung nicht.',
  spf_include_doubled: 'An das include wurde der Domainname angehängt. Es muss include:{include} heißen.',
  spf_include_missing: 'Der SPF-Eintrag führt nicht zu include:{include}. Fügen Sie es vor „all“ ein.',
  spf_addresses_refused:
    'Der SPF-Eintrag erlaubt nicht alle Adressen des Relays: {addresses}. Setzen Sie include:{include} an seinen Anfang.',
  spf_refused_by: '„{term}“ im SPF-Eintrag von {name} weist das Relay ab. Setzen Sie include:{include} davor.',
  spf_unknown_term: 'Der SPF-Eintrag von {name} enthält „{term}“, das nicht zu SPF gehört.',
  spf_wrong_address:
    'Der SPF-Eintrag von {name} enthält „{term}“ ohne gültige IP-Adresse. Empfänger brechen dann mit einem Fehler ab.',
  spf_wrong_prefix:
    'Der SPF-Eintrag von {name} enthält „{term}“ mit falscher Präfixlänge. Empfänger brechen dann mit einem Fehler ab.',
  spf_wrong_name:
    'Der SPF-Eintrag von {name} enthält „{term}“ ohne vollständigen Domainnamen. Empfänger brechen dann mit einem Fehler ab.',
  spf_wrong_macro:
    'Der SPF-Eintrag von {name} enthält „{term}“ mit falschem Makro. Empfänger brechen dann mit einem Fehler ab.',
  spf_doubled_modifier:
    'Der SPF-Eintrag von {name} enthält „{term}“ neben einem zweiten dieser Art. Empfänger brechen dann mit einem Fehler ab.',
  spf_included_missing: '{name} ist im SPF-Eintrag genannt, hat aber selbst keinen SPF-Eintrag.',
  spf_included_duplicate: '{name} ist im SPF-Eintrag genannt, hat aber mehrere SPF-Einträge.',
  spf_too_many_lookups:
    'Der SPF-Eintrag braucht mehr als {limit} DNS-Abfragen (bei {name}). Empfänger brechen dann mit einem Fehler ab.',
  spf_too_many_mx:
    'Der SPF-Eintrag nennt {name} mit „mx“, das mehr als {limit} MX-Einträge hat. Empfänger brechen dann mit einem Fehler ab.',
  spf_allows_all: '„+all“ im SPF-Eintrag von {name} erlaubt jedem Server, als diese Domain zu senden.',
  spf_flattened:
    'Der SPF-Eintrag enthält die Adressen des Relays statt include:{include}. Sie können sich ändern und fehlen dann.',
  spf_depends_on_sender:
    'Ob „{term}“ im SPF-Eintrag von {name} das Relay erlaubt, hängt vom Absender oder vom Namen des Servers ab.',
  spf_nameless_term:
    '„{term}“ im SPF-Eintrag von {name} hat einen Namen, der nicht abgefragt werden kann, und erlaubt deshalb niemanden.',
  spf_void_lookups:
    'Der SPF-Eintrag fragt mehr als {limit} Namen ab, die es nicht gibt. Manche Empfänger brechen dann mit einem Fehler ab.',
  verification_ok: 'Der Eintrag zum Besitz der Domain ist wie erwartet.',
  verification_missing: 'Unter {name} gibt es keinen TXT-Eintrag. Veröffentlichen Sie einen mit dem Wert {value}.',
  verification_quoted: 'Um den Wert stehen Anführungszeichen oder Leerzeichen. Geben Sie ihn ohne diese ein.',
  verification_start_missing: 'Der Anfang des Werts fehlt. Der Wert muss {value} sein.',
  verification_other_token: 'Das Token gehört nicht zu dieser Domain. Ersetzen Sie es durch {value}.',
  verification_other_value: 'Kein TXT-Eintrag unter diesem Namen hat den Wert {value}.',
  dkim_ok: 'Der DKIM-Eintrag ist wie erwartet.',
  dkim_not_created: 'Der Relay-Anbieter hat die DKIM-Schlüssel dieser Domain noch nicht erzeugt.',
  dkim_refused: '{reason}',
  dkim_txt_missing: 'Unter {name} gibt es keinen TXT-Eintrag. Veröffentlichen Sie einen mit dem angezeigten Wert.',
  dkim_cname_missing: 'Unter {name} gibt es keinen CNAME-Eintrag. Veröffentlichen Sie einen, der auf {target} zeigt.',
  dkim_quoted: 'Um den Wert stehen Anführungszeichen. Geben Sie ihn ohne diese ein.',
  dkim_other_value:
    'Kein TXT-Eintrag unter diesem Namen hat den erwarteten Wert. Ersetzen Sie ihn durch den angezeigten Wert.',
  dkim_wrong_type: 'Der Wert wurde als TXT veröffentlicht. Der Typ muss CNAME sein.',
  dkim_flattened: 'Der Schlüssel ist als TXT statt als CNAME veröffentlicht, und er ist richtig.',
  dkim_flattened_other:
    'Ein TXT-Eintrag unter diesem Namen ist nicht der Schlüssel von {target}. Ersetzen Sie ihn durch einen CNAME-Eintrag, der auf {target} zeigt.',
  dkim_target_doubled: 'Der Domainname wurde an das Ziel angehängt. Geben Sie {target} mit einem Punkt am Ende ein.',
  dkim_other_key: 'Dieser Name zeigt auf einen anderen Schlüssel der Domain. Er muss auf {target} zeigen.',
  dkim_other_zone: 'Der Schlüssel ist richtig, die Zone nicht: Das Ziel muss auf {zone} enden.',
  dkim_other_target: 'Der CNAME-Eintrag zeigt auf {found}. Er muss auf {target} zeigen.',
  dkim_same_key: 'Der CNAME-Eintrag zeigt auf {found}, und dort steht der Schlüssel von {target}. Er ist richtig.',
  dkim_duplicate:
    'Unter {name} stehen {count} DKIM-Einträge. Welchen Schlüssel Empfänger verwenden, ist dann nicht festgelegt (RFC 6376, Abschnitt 3.6.2.2). Behalten Sie den des Relay-Anbieters.',
  dkim_revoked:
    'Der Schlüssel unter {name} ist leer. Das bedeutet, dass er widerrufen ist (RFC 6376, Abschnitt 3.6.1). Ersetzen Sie den Eintrag durch den angezeigten.',
  dkim_revoked_by_provider:
    'Der Schlüssel unter {target} ist leer. Das bedeutet, dass er widerrufen ist (RFC 6376, Abschnitt 3.6.1). Nur der Relay-Anbieter kann das ändern.',
  dkim_unconfirmed: 'Der Relay-Anbieter hat diesen Eintrag noch nicht bestätigt. Er sucht von selbst wieder nach ihm.',
  advice_ok: 'Der Eintrag hat die richtige Form.',
  advice_quoted: 'Um den Eintrag stehen Anführungszeichen oder Leerzeichen. Geben Sie ihn ohne diese ein.',
  advice_duplicate: 'Es gibt {count} solche Einträge, und Empfänger beachten dann keinen. Behalten Sie einen davon.',
  dmarc_missing:
    'Es gibt keinen DMARC-Eintrag. Große Empfänger verlangen einen; beginnen Sie mit v=DMARC1; p=none unter {name}.',
  dmarc_incomplete:
    'Eine Regel des DMARC-Eintrags (p, sp oder np) ist nicht none, quarantine oder reject (RFC 9989, Abschnitt 4.7).',
  dmarc_no_policy: 'Der DMARC-Eintrag hat kein p; das gilt als p=none (RFC 9989).',
  dmarc_historic: 'Diese Teile des DMARC-Eintrags lesen Empfänger nicht mehr: {tags} (RFC 9989).',
  dmarc_inherited: 'Es gilt der DMARC-Eintrag von {parent}.',
  dmarc_other_version:
    'Der Eintrag beginnt mit „{beginning}“, deshalb lesen Empfänger ihn nicht. Ein DMARC-Eintrag muss mit v=DMARC1 in dieser Schreibweise beginnen (RFC 9989, Abschnitt 4.7).',
  mta_sts_missing:
    'Es gibt keinen MTA-STS-Eintrag. Ein Angreifer kann deshalb bewirken, dass Absender ohne TLS zustellen. Der Eintrag ist freiwillig (RFC 8461).',
  mta_sts_other_version:
    'Der Eintrag beginnt mit „{beginning}“, deshalb lesen Absender ihn nicht. Ein MTA-STS-Eintrag muss mit v=STSv1; in dieser Schreibweise beginnen (RFC 8461, Abschnitt 3.1).',
  mta_sts_field:
    'Der Teil „{field}“ des MTA-STS-Eintrags besteht nicht aus einem Namen, = und einem Wert ohne Leerzeichen, deshalb beachten Absender den Eintrag nicht (RFC 8461, Abschnitt 3.1).',
  mta_sts_incomplete: 'Der MTA-STS-Eintrag hat kein id= in Kleinbuchstaben (RFC 8461, Abschnitt 3.1).',
  mta_sts_ids: 'Der MTA-STS-Eintrag hat id {count}-mal. Behalten Sie eine davon (RFC 8461, Abschnitt 3.1).',
  mta_sts_id:
    'Die id „{id}“ des MTA-STS-Eintrags besteht nicht aus 1 bis 32 Buchstaben und Ziffern, deshalb beachten Absender den Eintrag nicht (RFC 8461, Abschnitt 3.1).',
  tls_rpt_missing:
    'Es gibt keinen TLS-RPT-Eintrag. Absender melden deshalb Fehler von TLS nicht. Der Eintrag ist freiwillig (RFC 8460).',
  tls_rpt_other_version:
    'Der Eintrag beginnt mit „{beginning}“, deshalb lesen Absender ihn nicht. Ein TLS-RPT-Eintrag muss mit v=TLSRPTv1; in dieser Schreibweise beginnen (RFC 8460, Abschnitt 3).',
  tls_rpt_field:
    'Der Teil „{field}“ des TLS-RPT-Eintrags besteht nicht aus einem Namen, = und einem Wert ohne Leerzeichen, deshalb beachten Absender den Eintrag nicht (RFC 8460, Abschnitt 3).',
  tls_rpt_incomplete: 'Der TLS-RPT-Eintrag hat kein rua mit einer Adresse für die Berichte (RFC 8460, Abschnitt 3).',
  tls_rpt_uri:
    '„{uri}“ im rua des TLS-RPT-Eintrags ist keine Adresse, die mit mailto: oder https: beginnt (RFC 8460, Abschnitt 3). Mehrere werden durch Kommas getrennt.',
} satisfies Texts['finding'];
