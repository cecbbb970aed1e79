import { isReadReceipt } from './read-receipt.js';

const PLAIN = 'multipart/report; report-type=disposition-notification; boundary="x"';

describe('a Content-Type', () => {
  test.each([
    PLAIN,
    'multipart/report;report-type=disposition-notification',
    ' multipart/report; boundary="----=_NextPart_000_0007"; report-type="disposition-notification";',
    'Multipart/Report;\r\n\tboundary="x";\r\n\tReport-Type = "Disposition-Notification"',
    'multipart/report; boundary=----=_Part_1/2=?; report-type=disposition-notification',
    'multipart(a)/(b (c\\) d) e)report (f) ; (g) report-type (h) = (i) disposition-notification (j)',
    'multipart/report;; report-type="disposition\\-notification";;',
  ])('%j is that of a read receipt', (value) => {
    expect(isReadReceipt(value)).toBe(true);
  });

  test.each([
    '',
    'multipart/report',
    'multipart/report; report-type=delivery-status; boundary="x"',
    'multipart/report; report-type=disposition-notification-2',
    'multipart/mixed; report-type=disposition-notification',
    'message/disposition-notification',
    'text/plain; x="multipart/report; report-type=disposition-notification"',
    'multipart/report; boundary="; report-type=disposition-notification"',
    'multipart/report; (report-type=disposition-notification)',
    'multipart/report; x-report-type=disposition-notification',
    "multipart/report; report-type*=utf-8''disposition-notification",
    'multipart/report; report-type*0=disposition-; report-type*1=notification',
    'multipart/report; report-type=delivery-status; report-type=disposition-notification',
    'multipart/report; report-type=disposition-notification; report-type=disposition-notification',
    'multipart/report; report-type=disposition-notification, text/plain',
    'multipart/report report-type=disposition-notification',
    'multipart/report; report-type="disposition-notification',
    'multipart/report; report-type',
    'multipart/report; =disposition-notification',
    'multipart/report; report-type=; boundary=x',
    `${PLAIN}; x="${'x'.repeat(2_048)}"`,
  ])('%j is none', (value) => {
    expect(isReadReceipt(value)).toBe(false);
  });
});
