import type { Texts } from '../texts.js';

export const provider = {
  cloudflare:
    'Melden Sie sich dort an und wählen Sie die Domain, dann DNS, „Einträge“ und „Eintrag hinzufügen“. Stellen Sie CNAME-Einträge auf „Nur DNS“.',
  route53:
    'Öffnen Sie in der AWS-Konsole Route 53, „Gehostete Zonen“, die Zone, dann „Datensatz erstellen“. Für @ lassen Sie den Namen leer. Schreiben Sie die Priorität vor den Wert eines MX-Eintrags, und TXT-Werte in Anführungszeichen.',
  godaddy:
    'Melden Sie sich dort an, öffnen Sie „Domain-Portfolio“ und wählen Sie die Domain, dann DNS und „Neuen Eintrag hinzufügen“.',
  ionos:
    'Melden Sie sich dort an, öffnen Sie „Domains & SSL“ und wählen Sie die Domain, dann den Reiter DNS und „Record hinzufügen“.',
  ovh: 'Melden Sie sich dort an und öffnen Sie „Web Cloud“, „Domainnamen“, die Domain, dann „DNS-Zone“ und „Eintrag hinzufügen“. Für @ lassen Sie die Subdomain leer. Setzen Sie hinter Server in MX- und CNAME-Werten einen Punkt.',
  hetzner:
    'Melden Sie sich in der Hetzner Console an und wählen Sie das Projekt, dann DNS, die Zone und „Add record“. Setzen Sie hinter Server in MX- und CNAME-Werten einen Punkt.',
  namecheap:
    'Melden Sie sich dort an, öffnen Sie „Domain List“, „Manage“ neben der Domain, dann „Advanced DNS“ und „Add New Record“. MX-Einträge stehen auf derselben Seite unter „Mail Settings“, „Custom MX“.',
  united_domains:
    'Melden Sie sich dort an, öffnen Sie das Domain-Portfolio, wählen Sie die Domain, dann ihre DNS-Einstellungen, und fügen Sie die Einträge hinzu.',
} satisfies Texts['provider'];
