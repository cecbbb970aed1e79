import { networkInterfaces } from 'node:os';
import fc from '../../../../scripts/fast-check.mjs';

/** A recipient as it stands between `<` and `>`. */
interface RecipientForm {
  text: string;
  /** It names a recipient of the platform, which Postfix accepts from everybody. */
  hosted: boolean;
  /** It names this host, for which there is no delivery, so no user may send to it either. */
  local: boolean;
}

const HOSTED = ['alice', 'ALICE', 'alice+tag', '"alice"', 'info'].map((name) => `${name}@acme.test`);
const OF_THIS_HOST = ['postmaster', 'abuse', 'root'];
const HOST = 'mx.rig.test';
const OUTSIDE = [
  'unlisted.test',
  'localhost',
  'localhost.localdomain',
  `acme.test.${HOST}`,
  '127.0.0.1',
  '',
  '[0.0.0.0]',
];
const ROUTES =
  'alice%acme.test acme.test!alice x%elsewhere.test elsewhere.test!x alice%acme.test%[127.0.0.1] info@acme.test';
const QUOTED = '"alice@acme.test" "info@acme.test" "alice%acme.test" "acme.test!alice" ""';
const NAMES = OF_THIS_HOST.concat(
  'anything double-bounce mailer-daemon alice info'.split(' '),
  ROUTES.split(' '),
  QUOTED.split(' '),
  '',
);

/** Without a host, Postfix does not tell a quoted address from the address. */
const HOSTED_ALONE = /^(postmaster|"?(alice|info)@acme\.test"?)$/;

/**
 * Returns every name at every host, names without a host, and random ones with routes, comments and dots that change
 * nothing.
 */
export function recipientForms(random: number): RecipientForm[] {
  const here = [HOST, '[127.0.0.1]', '[IPv6:::1]', '[IPv6:::ffff:127.0.0.1]', ...ownLiterals()];
  const forms = [
    ...HOSTED.map((text) => ({ text, hosted: true, local: false })),
    ...[...here, ...OUTSIDE].flatMap((host) =>
      NAMES.map((name) => {
        const hosted = host === HOST && OF_THIS_HOST.includes(name);
        // Without IPv6 ([::1]) Postfix treats the literal as another host.
        return { text: `${name}@${host}`, hosted, local: here.includes(host) && host !== '[IPv6:::1]' && !hosted };
      }),
    ),
    ...NAMES.map((text) => ({ text, hosted: HOSTED_ALONE.test(text), local: false })),
  ];
  return [...forms, ...fc.sample(fc.constantFrom(...forms).chain(inDisguise), random)];
}

/** The same recipient after a source route, with a comment, or with a dot at its end. */
function inDisguise(form: RecipientForm): fc.Arbitrary<RecipientForm> {
  const withHost = /@[a-z]/.test(form.text);
  return fc
    .record({
      route: fc.constantFrom('', '@a.test:', '@[127.0.0.1],@b.test:', '@acme.test:'),
      comment: fc.constantFrom('', '(x@acme.test)', ' '),
      dot: fc.constantFrom('', ...(withHost ? ['.'] : [])),
    })
    .map(({ route, comment, dot }) => ({ ...form, text: `${route}${form.text}${dot}${comment}` }));
}

/** The addresses of this machine as domains. */
function ownLiterals(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family }) => family === 'IPv4')
    .map(({ address }) => `[${address}]`);
}
