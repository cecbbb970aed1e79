import { readDoveadmAnswer } from './doveadm-answer.js';

const FIELD = /"size\.physical":"(\d+)"/g;

describe('an answer of doveadm', () => {
  const read = (status: number, ...chunks: string[]) => {
    async function* body() {
      for (const chunk of chunks) yield Buffer.from(chunk);
    }
    return readDoveadmAnswer(status, body(), FIELD, () => undefined);
  };
  const endless = Array.from({ length: 100 }, () => ' '.repeat(1_024));

  it('whose row has no end is not read further than 64 kB, and is a failure', async () => {
    let chunks = 0;
    async function* body() {
      for (;;) {
        chunks += 1;
        yield Buffer.from(chunks === 1 ? '[["doveadmResponse",[' : ' '.repeat(1_024));
      }
    }
    expect(await readDoveadmAnswer(200, body(), FIELD, () => undefined)).toBe('its answer cannot be read');
    expect(chunks).toBeLessThan(70);
  });

  it('of a server before Dovecot is told by its status, however long it is', async () => {
    expect(await read(502, ...endless)).toBe('it answered 502');
    expect(await read(401, ...endless)).toBe('it refused DOVEADM_API_KEY');
  });
});
