export interface WrittenReceipt {
  subject: string;
  /** The whole message, with CRLF. */
  text: string;
}

/** Who sends a receipt, to whom, and the header fields by which a program differs from others. */
interface Program {
  name: string;
  /** Before the Content-Type. */
  fields: (from: string, to: string) => string[];
  /** With its folds. */
  contentType: string;
  boundary: string;
  reportingUserAgent: string;
  subject: (subject: string) => string;
}

const THUNDERBIRD: Program = {
  name: 'Thunderbird',
  fields: (from, to) => [
    `To: Friend <${to}>`,
    `From: Alice <${from}>`,
    'Date: Sat, 28 Nov 2026 10:00:00 +0100',
    'Message-ID: <4f0c1f8a-0b6e-4f3a-9a0e-1b2c3d4e5f60@acme.test>',
    'References: <original@elsewhere.test>',
    'MIME-Version: 1.0',
  ],
  contentType:
    'Content-Type: multipart/report; report-type=disposition-notification;\r\n\tboundary="------------mdn030708040302060109050400"',
  boundary: '------------mdn030708040302060109050400',
  reportingUserAgent:
    'Reporting-UA: acme.test; Mozilla/5.0 (X11; Linux x86_64; rv:115.0) Gecko/20100101 Thunderbird/115.0',
  subject: (subject) => `Return Receipt (displayed) - ${subject}`,
};

const OUTLOOK: Program = {
  name: 'Outlook',
  fields: (from, to) => [
    `From: "Alice" <${from}>`,
    `To: "'Friend'" <${to}>`,
    'References: <original@elsewhere.test>',
    'In-Reply-To: <original@elsewhere.test>',
    'Date: Sat, 28 Nov 2026 10:00:00 +0100',
    'Message-ID: <000001db4180$6f3b2c10$4db18430$@acme.test>',
    'MIME-Version: 1.0',
    'X-Mailer: Microsoft Outlook 16.0',
    'Thread-Index: AdtBgG8ZJ3yQ2sCkTbK0fKJp0b1kFQ==',
    'Content-Language: en-us',
  ],
  contentType:
    'Content-Type: multipart/report;\r\n\treport-type=disposition-notification;\r\n\tboundary="----=_NextPart_000_0000_01DB4189.50FF6F70"',
  boundary: '----=_NextPart_000_0000_01DB4189.50FF6F70',
  reportingUserAgent: 'Reporting-UA: acme.test; Microsoft Outlook 16.0',
  subject: (subject) => `Read: ${subject}`,
};

/** The example of RFC 8098 section 9.1, with its boundary. */
const RFC_8098: Program = {
  name: 'RFC 8098',
  fields: (from, to) => [
    'Date: Wed, 20 Sep 1995 00:19:00 -0400',
    `From: Joe Recipient <${from}>`,
    'Message-Id: <199509200019.12345@example.com>',
    `To: Jane Sender <${to}>`,
    'MIME-Version: 1.0',
    'Auto-Submitted: auto-replied',
  ],
  contentType:
    'Content-Type: multipart/report; report-type=disposition-notification;\r\n   boundary="RAA14128.773615765/example.com"',
  boundary: 'RAA14128.773615765/example.com',
  reportingUserAgent: 'Reporting-UA: joes-pc.cs.example.com; Foomail 97.1',
  subject: (subject) => `Re: ${subject}`,
};

export const RECEIPT_PROGRAMS = [THUNDERBIRD, OUTLOOK, RFC_8098];

/** Returns the receipt that a program writes, from a mailbox to the address that asked for it. */
export function receiptOf(program: Program, from: string, to: string, about: string): WrittenReceipt {
  const { boundary } = program;
  const subject = program.subject(about);
  const lines = [
    ...program.fields(from, to),
    `Subject: ${subject}`,
    program.contentType,
    '',
    `--${boundary}`,
    'Content-Type: text/plain; charset=UTF-8',
    'Content-Transfer-Encoding: 7bit',
    '',
    `This is a Return Receipt for the mail that you sent to ${from}.`,
    '',
    `--${boundary}`,
    'Content-Type: message/disposition-notification; name="MDNPart2.txt"',
    'Content-Disposition: inline',
    'Content-Transfer-Encoding: 7bit',
    '',
    program.reportingUserAgent,
    `Final-Recipient: rfc822;${from}`,
    'Original-Message-ID: <original@elsewhere.test>',
    'Disposition: manual-action/MDN-sent-manually; displayed',
    '',
    `--${boundary}--`,
    '',
  ];
  return { subject, text: lines.join('\r\n') };
}
