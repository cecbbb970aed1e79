import { rewriteSvg } from '@mailstead/adapters/logos/svg';
import type { Browser } from 'playwright-core';
import { TestBrowser } from './testing/browser.js';

const RUNS = 5;
/** The costliest files that are known need two to three times as much as the plain one. */
const MOST_TIMES = 10;
/** As the portal shows a logo. */
const STYLE = 'max-width: 96px; max-height: 28px; min-height: 16px; padding: 2px';

const repeated = (count: number, part: (index: number) => string) => Array.from({ length: count }, (_, i) => part(i));
const svg = (inner: string | string[], more = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" ${more}>${[inner].flat().join('')}</svg>`;
const WIDE = 'stroke="red" stroke-width="100" stroke-linejoin="round" stroke-linecap="round"';
/** The same for each run: numbers below 100 that follow no pattern. */
const scattered = (index: number) => (index * 48_271) % 97;
const stops = (count: number) => repeated(count, (i) => `<stop offset="${i / count}" stop-color="#${100 + i}"/>`);
const gradient = (count: number) =>
  `<radialGradient id="a" spreadMethod="reflect" r=".001">${stops(count).join('')}</radialGradient>`;
const painted = `fill="url(#a)" stroke="url(#a)" stroke-width="99"`;
const paths = (count: number, data: string, more = '') =>
  svg(Array(count).fill(`<path d="${data}"/>`) as string[], more);
const zigzag = (count: number) =>
  `M0 0${repeated(count, (i) => `L${i % 2 ? i % 99 : 99 - (i % 99)} ${i % 2 ? 0 : 99}`).join('')}`;
const dots = `M50 50${repeated(498, (i) => (i % 2 ? 'm1-1z' : 'm-1 1z')).join('')}`;
const far = (i: number) => scattered(i) * 30;

/** As many points in as many bytes as a logo may have, in an order that is easy to draw. */
const PLAIN = paths(2, `M0 0${repeated(4_998, (i) => `L${scattered(i)} ${scattered(i * 7)}`).join('')}`);

const COSTLY: [string, string][] = [
  ['dots on each other', paths(10, dots, WIDE)],
  ['lines across all others', paths(2, zigzag(4_990))],
  ['wide strokes across all others', paths(10, zigzag(998), WIDE)],
  ['miter joins', paths(10, zigzag(998), 'stroke="red" stroke-miterlimit="1e9" stroke-width="9"')],
  [
    'curves',
    paths(10, `M0 0t${repeated(995, (i) => `${scattered(i) % 19} ${scattered(i * 7) % 19}`).join(' ')}`, WIDE),
  ],
  [
    'far curves',
    paths(8, `M0 0${repeated(240, (i) => `S${far(i)} ${far(i * 5)} ${far(i * 7)} ${far(i * 11)}`).join('')}`, WIDE),
  ],
  ['arcs', paths(10, `M0 0${repeated(240, (i) => `a99 99 0 11${i % 9} ${scattered(i) % 9}`).join('')}`, WIDE)],
  [
    'circles',
    svg(
      repeated(2_490, (i) => `<circle r="${scattered(i)}"/>`),
      WIDE,
    ),
  ],
  [
    'far circles',
    svg(
      repeated(1_900, (i) => `<circle cx="4000" r="4${100 + scattered(i)}"/>`),
      'stroke="red" stroke-width=".1"',
    ),
  ],
  [
    'flat ellipses',
    svg(
      repeated(1_700, (i) => `<ellipse rx="4${100 + scattered(i)}" ry="1"/>`),
      WIDE,
    ),
  ],
  ['gradients', svg([gradient(1), ...repeated(2_490, () => '<circle r="99"/>')], painted)],
  ['gradients of many colours', svg([gradient(500), ...repeated(10, () => '<circle r="99"/>')], painted)],
  [
    'layers',
    svg(
      repeated(1_300, () => '<g opacity=".5"><circle r="99"/></g>'),
      'stroke="red" stroke-width="9"',
    ),
  ],
  [
    'layers in layers',
    svg(repeated(100, () => `${'<g opacity=".9">'.repeat(25)}<circle r="99"/>${'</g>'.repeat(25)}`)),
  ],
  ['shapes of a tiny scale', paths(10, zigzag(998), `${WIDE} transform="scale(1e-9)"`)],
  [
    'dashes, lengths of paths and clip paths',
    svg([
      `<clipPath id="c">${'<circle r="9"/>'.repeat(11)}</clipPath>`,
      ...repeated(100, () => '<circle r="99" clip-path="url(#c)" stroke="red" pathLength="9e5" stroke-dasharray="1"/>'),
    ]),
  ],
  [
    'a box of another form',
    svg(repeated(500, () => '<circle r="9"/>')).replace('100"', '1e6" preserveAspectRatio="xMidYMid slice"'),
  ],
  [
    'strokes without a scale',
    paths(10, zigzag(998), `${WIDE.replace('100', '9e3')} vector-effect="non-scaling-stroke"`),
  ],
];

describe('a logo that the service has written', () => {
  let tested: TestBrowser;
  let browser: Browser;
  let plainMs: number;
  beforeAll(async () => {
    tested = await TestBrowser.start();
    const { context } = await tested.visit('http://localhost');
    browser = context.browser() as Browser;
    plainMs = await leastMs(PLAIN);
  });
  afterAll(() => tested.close());

  /** Milliseconds of CPU of all processes of the browser since its start, which other programs do not change. */
  const cpuMs = async () => {
    const session = await browser.newBrowserCDPSession();
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    await session.detach();
    return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0) * 1_000;
  };
  const drawMs = async (src: string) => {
    const page = await browser.newPage();
    await page.setContent('<p>No logo</p>');
    await page.screenshot({ timeout: 0 });
    const before = await cpuMs();
    await page.evaluate(
      ([data = '', style = '']) => {
        const image = document.createElement('img');
        image.style.cssText = style;
        image.src = data;
        document.body.append(image);
        return image.decode();
      },
      [src, STYLE],
    );
    await page.screenshot({ timeout: 0 });
    const ms = (await cpuMs()) - before;
    await page.close();
    return ms;
  };
  const leastMs = async (file: string) => {
    const written = rewriteSvg(Buffer.from(file));
    let least = Number.POSITIVE_INFINITY;
    for (let run = 0; run < RUNS; run += 1)
      least = Math.min(least, await drawMs(`data:image/svg+xml;base64,${written.toString('base64')}`));
    return least;
  };

  it.each(COSTLY)(`costs a browser at most ${MOST_TIMES} times as much as a plain one: %s`, async (_, file) => {
    expect((await leastMs(file)) / plainMs).toBeLessThan(MOST_TIMES);
  });
});
