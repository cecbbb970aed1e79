import fc from '../../../../scripts/fast-check.mjs';
import { PolicyProtocolError, PolicyRequestReader } from './policy-request.js';

const REQUEST =
  'request=smtpd_access_policy\nprotocol_state=RCPT\nsasl_username=a@example.com\nsender=\nhelo_name=a=b\n\n';

describe('the reader of policy requests', () => {
  it('assembles a request from any chunks of its bytes', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 60 }), (sizes) => {
        const bytes = Buffer.from(REQUEST.repeat(3));
        const reader = new PolicyRequestReader();
        const found: unknown[] = [];
        let from = 0;
        for (const size of [...sizes, bytes.length]) {
          found.push(...reader.read(bytes.subarray(from, from + size)));
          from = Math.min(bytes.length, from + size);
        }
        expect(found).toHaveLength(3);
        for (const request of found) {
          expect(request).toMatchObject({
            protocol_state: 'RCPT',
            sasl_username: 'a@example.com',
            sender: '',
            helo_name: 'a=b',
          });
        }
        expect(reader.isInside).toBe(false);
      }),
    );
  });

  it.each([
    ['an empty request', '\n'],
    ['a line without a name', 'request=smtpd_access_policy\n=x\n\n'],
    ['a line that is no attribute', 'request=smtpd_access_policy\nhello\n\n'],
    ['another kind of request', 'request=other\n\n'],
    ['too many attributes', `request=smtpd_access_policy\n${'a=b\n'.repeat(200)}\n`],
    ['a request without an end', 'a'.repeat(70_000)],
  ])('refuses %s', (_, text) => {
    expect(() => new PolicyRequestReader().read(Buffer.from(text))).toThrow(PolicyProtocolError);
  });

  it('returns requests or throws a protocol error for any bytes', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 20 }), (chunks) => {
        const reader = new PolicyRequestReader();
        try {
          for (const chunk of chunks) reader.read(Buffer.from(chunk));
        } catch (error) {
          expect(error).toBeInstanceOf(PolicyProtocolError);
        }
      }),
    );
  });
});
