import { rewriteSvg } from './svg.js';

const NS = 'xmlns="http://www.w3.org/2000/svg"';
const rewrite = (text: string) => rewriteSvg(Buffer.from(text)).toString();
const inSvg = (inner: string, more = '') => `<svg ${NS} ${more}>${inner}</svg>`;

describe('an SVG is refused', () => {
  const BOX = 'viewBox="0 0 100 100"';
  const lines = (count: number) => `M0 0${'h1v1'.repeat(count / 2)}`;
  /** Each with its file on the right side of the bound, and beyond it. */
  const bounds: [string, (isAllowed: boolean) => string][] = [
    ['points of a shape', (isAllowed) => inSvg(`<path d="${lines(isAllowed ? 4_998 : 5_000)}"/>`)],
    [
      'points of a shape with a stroke',
      (isAllowed) => inSvg(`<path stroke="red" d="${lines(isAllowed ? 998 : 1_000)}"/>`),
    ],
    [
      'points of a shape with the stroke of a group',
      (isAllowed) => inSvg(`<g stroke="red"><g><polyline points="${'1 '.repeat(isAllowed ? 2_000 : 2_002)}"/></g></g>`),
    ],
    ['points in all', (isAllowed) => inSvg('<circle r="1"/>'.repeat(isAllowed ? 2_500 : 2_501))],
    ['points of arcs', (isAllowed) => inSvg(`<path d="M0 0${'a1 1 0 01.5.5'.repeat(isAllowed ? 1_249 : 1_250)}"/>`)],
    ['reach of a circle', (isAllowed) => inSvg(`<circle cx="5000" r="${isAllowed ? 5_000 : 5_001}"/>`, BOX)],
    ['reach in percent', (isAllowed) => inSvg(`<circle r="${isAllowed ? 10_000 : 10_001}%"/>`, BOX)],
    ['reach in inches', (isAllowed) => inSvg(`<circle r="${isAllowed ? 104 : 105}in"/>`, BOX)],
    [
      'reach of a stroke',
      (isAllowed) => inSvg(`<g stroke-width="${isAllowed ? 9_999 : '1e4'}"><path stroke="red" d="M1 1"/></g>`, BOX),
    ],
    [
      'reach of a matrix',
      (isAllowed) => inSvg(`<g transform="scale(${isAllowed ? 100 : 101})"><path d="M100 0"/></g>`, BOX),
    ],
    [
      'reach of many matrices',
      (isAllowed) =>
        inSvg(
          `${'<g transform="scale(10)">'.repeat(isAllowed ? 2 : 3)}<path d="M99 0"/>${'</g>'.repeat(isAllowed ? 2 : 3)}`,
          BOX,
        ),
    ],
    [
      'reach of a shift',
      (isAllowed) => inSvg(`<path transform="translate(${isAllowed ? 9_900 : 9_901})" d="M100 0"/>`, BOX),
    ],
    [
      'reach of relative commands',
      (isAllowed) => inSvg(`<path d="m0 0${'h100'.repeat(isAllowed ? 100 : 101)}"/>`, BOX),
    ],
    [
      'reach of reflected control points',
      (isAllowed) => inSvg(`<path d="M0 0q9 9 0 0${'T9 0 0 0'.repeat(isAllowed ? 500 : 600)}"/>`, BOX),
    ],
    ['reach of a flat arc', (isAllowed) => inSvg(`<path d="M0 0a${isAllowed ? 99 : 999} .1 0 0 0 0 9"/>`, BOX)],
    [
      'reach without a box',
      (isAllowed) => inSvg(`<circle r="${isAllowed ? 409_600 : 409_601}"/>`, 'width="9999px" height="1"'),
    ],
    [
      'colours of a gradient, for each shape',
      (isAllowed) =>
        inSvg(`<linearGradient id="a">${'<stop/>'.repeat(100)}</linearGradient><linearGradient id="b" href="#a"/>
          <g fill="url(#b)">${'<path fill="zzz" d="M0 0"/>'.repeat(isAllowed ? 100 : 101)}</g>`),
    ],
  ];

  it.each(bounds)('above its bound of %s, and not below it', (_, file) => {
    expect(rewrite(file(true))).toMatch(/^<svg /);
    expect(() => rewrite(file(false))).toThrow(expect.objectContaining({ code: 'logo_not_safe' }));
  });

  it.each([
    ['a path that does not begin with M', '<path d="L1 1"/>'],
    ['a path with a number too few', '<path d="M0 0L1"/>'],
    ['an arc with a flag that is none', '<path d="M0 0a1 1 0 2 0 1 1"/>'],
    ['a transformation with a number too few', '<g transform="scale()"/>'],
    ['a number without a value', '<path d="M0 0" transform="scale(1e400)"/>'],
    ['coordinates without a value', '<path d="M1e400 0L-1e400 0"/>'],
  ])('with %s', (_, inner) => {
    expect(() => rewrite(inSvg(inner))).toThrow(expect.objectContaining({ code: 'logo_not_safe' }));
  });

  it.each(['0 0 1', '0 0 1 1 1', '0 0 0 1', '0 0 1 -1', '0 0 1e400 1', ''])('with the box "%s"', (box) => {
    expect(() => rewrite(inSvg('', `viewBox="${box}"`))).toThrow('viewBox');
  });
});
