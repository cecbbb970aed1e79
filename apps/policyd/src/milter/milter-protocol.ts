/**
 * The part of the milter protocol (version 6) that is used here, from sendmail's libmilter/mfdef.h. A packet is a
 * length of four bytes, a letter, and data. The length includes the letter.
 */
export const MILTER_VERSION = 6;

/** Commands of the mail server. */
export const COMMAND = {
  abort: 'A',
  body: 'B',
  connect: 'C',
  macro: 'D',
  endOfMessage: 'E',
  helo: 'H',
  quitForNewConnection: 'K',
  header: 'L',
  mail: 'M',
  endOfHeaders: 'N',
  negotiate: 'O',
  quit: 'Q',
  rcpt: 'R',
  data: 'T',
  unknown: 'U',
} as const;

/** Replies of a milter. */
export const REPLY = {
  addHeader: 'h',
  continue: 'c',
  changeHeader: 'm',
  changeSender: 'e',
  negotiate: 'O',
  replyCode: 'y',
} as const;

/** Actions that a milter may request. */
export const ACTION = { addHeaders: 0x1, changeHeaders: 0x10, changeSender: 0x40, chooseMacros: 0x100 } as const;

/** Flags for steps that the mail server omits, and for steps that need no reply. */
export const STEP = {
  noConnect: 0x1,
  noHelo: 0x2,
  noRcpt: 0x8,
  noBody: 0x10,
  noEndOfHeaders: 0x40,
  noAnswerToHeader: 0x80,
  noUnknown: 0x100,
  noData: 0x200,
  noAnswerToConnect: 0x1000,
  noAnswerToHelo: 0x2000,
  noAnswerToMail: 0x4000,
  noAnswerToRcpt: 0x8000,
  noAnswerToData: 0x10000,
  noAnswerToUnknown: 0x20000,
  noAnswerToEndOfHeaders: 0x40000,
  noAnswerToBody: 0x80000,
  /** The space after a field's colon is sent as part of the value. */
  blankBeforeValue: 0x100000,
} as const;

/** The steps for which macros can be chosen. */
export const MACRO_STEP = { mail: 2, rcpt: 3, endOfMessage: 5 } as const;

export function packetOf(letter: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(data.length + 1, 0);
  head.write(letter, 4, 'latin1');
  return Buffer.concat([head, data]);
}
