import { AppError } from '@mailstead/core/errors';
import { SafeLogos } from './safe-logos.js';

const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0z"/></svg>');

describe('logos', () => {
  it("of a partner wait for one of each other partner at most, and the service's own for as many", async () => {
    const logos = new SafeLogos();
    const ended: string[] = [];
    const write = (owner: number | null, name: string) =>
      logos.rewrite(owner, 'image/svg+xml', SVG).then(() => void ended.push(name));
    const flood = Array.from({ length: 40 }, (_, index) => write(1, `flood ${index}`));
    await Promise.all([...flood, write(2, 'second'), write(3, 'third'), write(null, 'service')]);
    expect(ended.slice(0, 5)).toEqual(['flood 0', 'flood 1', 'second', 'third', 'service']);
    expect(ended).toHaveLength(43);
  });

  it('are refused beyond 50 of a partner that wait, and not those of another one or of the service', async () => {
    const logos = new SafeLogos();
    const outcome = (owner: number | null) =>
      logos.rewrite(owner, 'image/svg+xml', SVG).then(
        () => 'written',
        (error: unknown) => (error instanceof AppError ? error.code : String(error)),
      );
    const flood = Array.from({ length: 60 }, () => outcome(1));
    const others = [outcome(2), outcome(null)];
    const outcomes = await Promise.all(flood);
    expect(outcomes).toEqual([...Array<string>(51).fill('written'), ...Array<string>(9).fill('busy')]);
    expect(await Promise.all(others)).toEqual(['written', 'written']);
    expect(await outcome(1)).toBe('written');
  });
});
