import { MAIL_SECURITIES } from '@mailstead/adapters/mail-settings';
import { Bool, Enum, Integer, ListOfText, Nested, Text } from '../http/fields.js';

class MailServerResponse {
  @Text({ description: 'The name of the server', example: 'mail.example.net' }) host!: string;
  @Integer({ min: 1, max: 65_535, description: 'The port of the server', example: 993 }) port!: number;
  @Enum(MAIL_SECURITIES, {
    description: '`tls`: encrypted from the start. `starttls`: the mail program must ask for encryption',
    example: 'tls',
  })
  security!: string;
}

export class MailSettingsResponse {
  @Nested(MailServerResponse, { nullable: true, description: 'For reading mail by IMAP; null when not offered' })
  imap!: MailServerResponse | null;
  @Nested(MailServerResponse, { nullable: true, description: 'For reading mail by POP3; null when not offered' })
  pop3!: MailServerResponse | null;
  @Nested(MailServerResponse, { nullable: true, description: 'For sending mail; null when not offered' })
  submission!: MailServerResponse | null;
  @Bool({
    optional: true,
    description:
      'True while nobody has set up mail servers: the values are invented, no mail program reaches them. Left out otherwise',
  })
  example?: boolean;
  @ListOfText({
    optional: true,
    description:
      'For master only: the settings of mail servers that are to be set (`MX_HOSTS` and others), empty when all are',
  })
  unset?: string[];
}
