import { spawn } from 'node:child_process';
import { parseAddressHeader, simpleParser } from 'mailparser';
import { pathOf } from '../../../../scripts/needed-programs.mjs';
import type { MailRig } from './mail-rig.js';

/** What a program reads in the header of a message. */
export interface ReadSenders {
  /** The number of From fields. */
  fields: number;
  /** The addresses in From. */
  from: string[];
  /** The addresses in Sender, Resent-From, Resent-Sender and Return-Path. */
  others: string[];
  /** The lines that name a sender in an mbox file, and fields with such a line. */
  mbox: string[];
}

const OTHERS = ['sender', 'resent-from', 'resent-sender', 'return-path'];

const PYTHON = `
import email, email.policy, email.utils, json, sys

policy = getattr(email.policy, sys.argv[1])

def read(text):
    message = email.message_from_bytes(text.encode('latin1'), policy=policy)
    def addresses(names):
        values = [str(value) for name in names for value in message.get_all(name, [])]
        return [address for _, address in email.utils.getaddresses(values)]
    fields = message.get_all('from', [])
    parsed = [address.addr_spec for field in fields for address in getattr(field, 'addresses', [])]
    mbox = [message.get_unixfrom()] + message.get_all('x-mailbox-line', [])
    return {'fields': len(fields), 'from': addresses(['from']) + parsed, 'others': addresses(${JSON.stringify(OTHERS)}),
            'mbox': [str(line) for line in mbox if line is not None]}

json.dump([read(text) for text in json.load(sys.stdin)], sys.stdout)
`;

/**
 * Returns what Python's `email` reads in each message.
 *
 * @param policy `compat32` or `default`: Python's former and present parser of addresses.
 */
export async function readByPython(texts: readonly string[], policy: 'compat32' | 'default'): Promise<ReadSenders[]> {
  const child = spawn(pathOf('python3') ?? '', ['-c', PYTHON, policy], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify(texts));
  const chunks: Buffer[] = [];
  for await (const chunk of child.stdout) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as ReadSenders[];
}

/** Returns what `mailparser` reads in each message. */
export async function readByMailparser(texts: readonly string[]): Promise<ReadSenders[]> {
  return await Promise.all(
    texts.map(async (text) => {
      const { from, headerLines } = await simpleParser(Buffer.from(text, 'latin1'));
      const others = headerLines.filter(({ key }) => OTHERS.includes(key));
      return {
        fields: headerLines.filter(({ key }) => key === 'from').length,
        from: addressesOf(from),
        others: others.flatMap(({ line }) => addressesOf(parseAddressHeader(line.slice(line.indexOf(':') + 1)))),
        mbox: headerLines
          .filter(({ key, line }) => key === 'x-mailbox-line' || /^>*From /.test(line))
          .map(({ line }) => line),
      };
    }),
  );
}

interface Address {
  address?: string;
  group?: Address[];
}

function addressesOf(field: { value: Address[] } | undefined): string[] {
  const all = (field?.value ?? []).flatMap(({ address, group = [] }) => [
    address,
    ...group.map((each) => each.address),
  ]);
  return all.filter((address) => address !== undefined);
}

/** Returns what Dovecot reads in the messages of a folder, oldest first. */
export async function readByDovecot(rig: MailRig, user: string, folder: string): Promise<ReadSenders[]> {
  const addresses = ['from', ...OTHERS].map((name) => `hdr.${name}.address`);
  const fields = [...addresses, 'hdr.from', 'hdr.x-mailbox-line'].join(' ');
  const printed = await rig.doveadm('-f', 'json', 'fetch', '-u', user, fields, 'mailbox', folder, 'all');
  return (JSON.parse(printed) as Record<string, string>[]).map((row) => {
    const listOf = (name: string): string[] =>
      (row[`hdr.${name}.address`] ?? '').split(', ').filter((text) => text !== '');
    return {
      // A line that does not begin with a blank begins another field.
      fields: (row['hdr.from'] ?? '').split(/\n(?![ \t])/).length,
      from: listOf('from'),
      others: OTHERS.flatMap(listOf),
      mbox: [row['hdr.x-mailbox-line'] ?? ''].filter((text) => text !== ''),
    };
  });
}
