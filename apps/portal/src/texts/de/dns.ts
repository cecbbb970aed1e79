import type { Texts } from '../texts.js';

export const dns = {
  readingState: 'Der Zustand wird gelesen',
  asking: 'Die Nameserver werden gefragt',
  verifiedByParent: 'Für diese Domain gilt die Bestätigung von {parent}.',
  maySend: 'Die Domain darf senden.',
  publishBelow:
    'Veröffentlichen Sie die Einträge unten dort, wo das DNS der Domain verwaltet wird. Diese Seite wird von selbst grün, meist innerhalb von Minuten.',
  checked: 'Geprüft: <time></time>.',
  zoneFile: 'Zonendatei',
  recommended: 'Empfohlen',
  examples: 'Beispiele',
  examplesWhy:
    'Die Mailserver dieses Dienstes sind noch nicht eingerichtet. Deshalb sind die Einträge unten Beispiele: Veröffentlichen Sie sie nicht.',
  rightCount: '{count, plural, one {# Eintrag ist richtig} other {# Einträge sind richtig}}',
  checkNow: 'Jetzt prüfen',
  toPublish:
    '{count, plural, one {# Eintrag ist zu veröffentlichen oder zu berichtigen.} other {# Einträge sind zu veröffentlichen oder zu berichtigen.}}',
  unchecked:
    '{count, plural, one {# Eintrag konnte nicht geprüft werden.} other {# Einträge konnten nicht geprüft werden.}}',
  allRight: 'Alle nötigen Einträge sind richtig.',
  where: 'Wo die Einträge zu veröffentlichen sind',
  publishInZone: 'Veröffentlichen Sie diese Einträge in der DNS-Zone {zone}',
  zoneIsAt: 'Das DNS von {zone} liegt bei {provider}',
  elsewhere:
    'Melden Sie sich dort an, wo die Domain registriert wurde oder wohin ihr DNS verlegt wurde, und fügen Sie die Einträge zu ihrer DNS-Zone hinzu.',
  shortNames:
    'Die meisten Anbieter verlangen den kurzen Namen, bei dem @ für {zone} selbst steht; manche verlangen den vollen Namen.',
  nameServers: 'Ihre Nameserver sind <names></names>.',
  andOthers: ' und andere',
  front: 'Server vor diesem Dienst',
  frontWhat:
    'Geben diese Server alle E-Mails an diesen Dienst weiter, zum Beispiel ein Filter? Dann geben Sie das an, und der Eintrag ist richtig. Kommt ein anderer Server zuerst, werden Sie wieder gefragt.',
  frontSay: 'Diese Server stehen vor uns',
  frontMailboxes:
    'Bei {hosts} gibt es Postfächer, in denen ankommende E-Mails bleiben. Fahren Sie nur fort, wenn der Anbieter so eingerichtet ist, dass er die E-Mails für diesen Dienst weitergibt.',
  frontSaid: 'Vor diesem Dienst stehen, wie am <time></time> angegeben: {hosts}.',
  frontWithdraw: 'Zurücknehmen',
  share: 'Diese Seite teilen',
  theLink: 'Der Link',
  linkOnce:
    'Wer ihn hat, sieht die DNS-Einträge dieser Domain und sonst nichts. Kopieren Sie ihn jetzt: Er wird nur dieses eine Mal angezeigt.',
  linkWhat:
    'Ein Link für die Person, die das DNS von {domain} verwaltet. Er zeigt diese Seite, braucht keinen Schlüssel und läuft von selbst ab.',
  linkDays: 'Tage',
  linkDaysRange: '1 bis 30',
  createLink: 'Link erzeugen',
} satisfies Texts['dns'];

export const record = {
  mx: 'E-Mails kommen hier an (MX)',
  spf: 'Dieser Dienst darf senden (SPF)',
  verification: 'Die Domain gehört Ihnen (Besitz)',
  dkim: 'E-Mails werden signiert (DKIM)',
  dmarc: 'Was andere mit gefälschten E-Mails tun (DMARC)',
  mta_sts: 'E-Mails kommen verschlüsselt an (MTA-STS)',
  tls_rpt: 'Berichte über die Verschlüsselung (TLS-RPT)',
} satisfies Texts['record'];

export const card = {
  ofType: '{count, number} Einträge vom Typ {type}',
  type: 'Typ',
  name: 'Name',
  priority: 'Priorität',
  value: 'Wert',
  thereNow: 'Jetzt dort',
  theShortName: 'kurzer Name {value}',
  theName: 'Name {value}',
  thePriority: 'Priorität {value}',
  theValue: 'Wert {value}',
  example: 'Beispiel',
  notThereYet: 'Noch nicht da',
  notThere: 'Nicht da',
  notRight: 'Nicht richtig',
  unchecked: 'Konnte nicht geprüft werden',
  right: 'Richtig',
  rightWithWarning: 'Richtig, mit einer Warnung',
} satisfies Texts['card'];
