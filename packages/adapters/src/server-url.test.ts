import { parseMysqlUrl } from './database/driver/mysql-url.js';
import { wrongPartIn } from './server-url.js';
import { checkSmtpUrl } from './smtp/smtp-url.js';

describe('the URL of a database', () => {
  it('is decoded once, for the pool, the probe and the programs of MariaDB alike', () => {
    expect(parseMysqlUrl('mysql://us%40er:p%2Fw%25:x@y@db.example:3307/mail_1')).toEqual({
      host: 'db.example',
      port: 3_307,
      user: 'us@er',
      password: 'p/w%:x@y',
      database: 'mail_1',
      tls: null,
    });
  });

  it('may have an IPv6 address, and has the port 3306 without one', () => {
    expect(parseMysqlUrl('mariadb://u:p@[::1]/db')).toMatchObject({ host: '::1', port: 3_306 });
  });

  it.each([
    ['mysql://u:pass/w0rd@h/db', 'the user and the password, / is written as %2F'],
    ['mysql://u:pass%w0rd@h/db', '% as %25'],
    ['mysql://u:p@h:abc/db', 'the port must be a number from 1 to 65535'],
    ['mysql://u:p@/db', 'the host must be'],
    ['mysql://u:p@h/', 'the database must have a name'],
  ])('is refused with the part that is wrong: %s', (url, part) => {
    expect(wrongPartIn(() => parseMysqlUrl(url))).toContain(part);
  });
});

it.each(['smtp://h', 'smtp://h:25/', 'smtps://u:p@[::1]:465?tls.servername=h'])(
  '%s is the URL of a mail server',
  (url) => {
    expect(wrongPartIn(() => checkSmtpUrl(url))).toBeNull();
  },
);
