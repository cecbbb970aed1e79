import fc from '../../../../scripts/fast-check.mjs';

/** A domain as people write it, and as the DNS has it. */
export interface SpelledName {
  unicode: string;
  stored: string;
}

/** Names in several scripts. Each has a letter that NFD takes apart, one of another script, or ASCII alone. */
export const NAMES: readonly SpelledName[] = [
  { unicode: 'bücher-é.example', stored: 'xn--bcher--gva0m.example' },
  { unicode: 'mail.việt.example', stored: 'mail.xn--vit-5kz.example' },
  { unicode: 'ελλάδα.example', stored: 'xn--hxakic4aa.example' },
  { unicode: 'faß.例え.example', stored: 'xn--fa-hia.xn--r8jz45g.example' },
  { unicode: 'plain.example', stored: 'plain.example' },
];

/** One way to write a name: a choice for each label, and for all of it. */
interface Choices {
  labels: { form: 'NFC' | 'NFD' | 'wide' | 'stored'; capitals: 'none' | 'all' | 'first' }[];
  dot: string;
  end: string;
  around: string;
}

const choices = fc.record<Choices>({
  labels: fc.array(
    fc.record({
      form: fc.constantFrom('NFC', 'NFD', 'wide', 'stored'),
      capitals: fc.constantFrom('none', 'all', 'first'),
    }),
    { minLength: 3, maxLength: 3 },
  ),
  dot: fc.constantFrom('.', '\u3002', '\uff0e', '\uff61'),
  end: fc.constantFrom('', '.', '\u3002'),
  around: fc.constantFrom('', ' '),
});

/** Ways to write a domain. */
export function spellingsOf({ unicode, stored }: SpelledName): fc.Arbitrary<string> {
  const ascii = stored.split('.');
  return choices.map(({ labels, dot, end, around }) => {
    const written = unicode.split('.').map((label, index) => {
      const way = labels[index];
      return way === undefined ? label : withCapitals(inForm(label, way.form, ascii[index] ?? label), way.capitals);
    });
    return `${around}${written.join(dot)}${end}${around}`;
  });
}

/** Ways to write an address. @param anyCase whether capital letters before the @ are the same */
export function addressSpellingsOf(local: string, name: SpelledName, anyCase: boolean): fc.Arbitrary<string> {
  const locals = anyCase ? fc.constantFrom(local, local.toUpperCase()) : fc.constant(local);
  return fc.tuple(locals, spellingsOf(name)).map(([before, domain]) => `${before}@${domain.trim()}`);
}

function inForm(label: string, form: Choices['labels'][number]['form'], stored: string): string {
  if (form === 'stored') return stored;
  if (form === 'wide') return label.replace(/[a-z]/g, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0));
  return label.normalize(form);
}

/** Only letters whose capital is theirs alone: that of `ß` is `SS`, which is another name. */
function withCapitals(label: string, capitals: Choices['labels'][number]['capitals']): string {
  const letters = Array.from(label, (letter) => {
    const capital = letter.toUpperCase();
    return capital.toLowerCase() === letter ? capital : letter;
  });
  if (capitals === 'none') return label;
  return capitals === 'all' ? letters.join('') : `${letters[0]}${Array.from(label).slice(1).join('')}`;
}
