import fc from '../../../../scripts/fast-check.mjs';

/** What stands between `<` and `>` of a command, or in a login; one character for each byte. */
type StrangeText = string;

const LENGTHS = [1, 63, 64, 65, 254, 255, 256, 1000, 2000, 2040, 5000];
const SPECIAL = '@%!:;,.<>()[]"\'\\ \t\0\x7f\x80\xff\xc3\xbc=?&~`$#{}|^_-+/*a';

/** Every byte that a line can contain. */
export const BYTES: readonly string[] = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)).filter(
  (byte) => byte !== '\r' && byte !== '\n',
);

/** Returns texts with a byte in a local part, quoted and not, and in a domain; of every length; and random ones. */
export function strangeAddresses(random: number): StrangeText[] {
  return [
    ...BYTES.flatMap((byte, index) => {
      const forms = [byte, `al${byte}ice@acme.test`, `"al\\${byte}ice"@acme.test`, `alice@ac${byte}me.test`];
      // One form of each byte above 127 is enough, because Postfix does not tell them apart.
      return byte < '\x80' ? forms : forms.slice(index % 4, (index % 4) + 1);
    }),
    ...LENGTHS.flatMap((length) => [
      `${'a'.repeat(length)}@acme.test`,
      `alice@${'a.'.repeat(length / 2)}acme.test`,
      `"${"'".repeat(length)}"@acme.test`,
      `${'\xfc'.repeat(length)}@acme.test`,
    ]),
    ...fc.sample(randomAddress(), random),
  ];
}

/**
 * Returns true when Postfix sees a byte above 127. It reads a line up to a NUL, and replaces such bytes when the line
 * has more than 2,048.
 */
export function hasByteAboveAscii(line: string): boolean {
  return line.length <= 2048 && /^[^\0]*[\x80-\xff]/.test(line);
}

function randomAddress(): fc.Arbitrary<StrangeText> {
  const byte = fc.oneof(fc.constantFrom(...SPECIAL.split('')), fc.constantFrom(...BYTES));
  const text = fc.string({ unit: byte, maxLength: 40 });
  const domain = fc.oneof(fc.constantFrom('acme.test', 'elsewhere.test', '[127.0.0.1]', 'mx.rig.test'), text);
  return fc.oneof(
    fc.tuple(text, domain).map((parts) => parts.join('@')),
    fc.tuple(text, domain).map(([local, name]) => `"${local.replaceAll(/["\\]/g, '\\$&')}"@${name}`),
    fc.tuple(text, text).map(([route, local]) => `@${route}:${local}@acme.test`),
    text,
  );
}
