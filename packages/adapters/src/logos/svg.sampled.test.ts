import { AppError } from '@mailstead/core/errors';
import { sampleSize } from '@mailstead/core/testing/sampled';
import { SaxesParser } from 'saxes';
import fc from '../../../../scripts/fast-check.mjs';
import { rewriteSvg } from './svg.js';

/** Random files. */
const CHANGED = sampleSize(10_000, 500);
const NS = 'xmlns="http://www.w3.org/2000/svg"';

const rewrite = (text: string) => rewriteSvg(Buffer.from(text)).toString();
const inSvg = (inner: string, more = '') => `<svg ${NS} ${more}>${inner}</svg>`;
const written = (inner: string) => rewrite(inSvg(inner)).replace(`<svg ${NS}>`, '').replace('</svg>', '');

/** What stands in the files that the service writes. */
const ELEMENTS = /^(svg|g|defs|path|rect|circle|ellipse|line|polyline|polygon|linearGradient|radialGradient|stop)$/;
const VALUE = /^(?!.*(?:script|data|http|import|@|\\|<|>|\/\/))(?:url\(#[A-Za-z_][\w.:-]*\)|(?!.*url).*)/is;

function expectSafe(text: string): void {
  const parser = new SaxesParser({ xmlns: true });
  parser.on('opentag', ({ local, uri, attributes }) => {
    expect([local, uri]).toEqual([expect.stringMatching(ELEMENTS), 'http://www.w3.org/2000/svg']);
    for (const { name, value } of Object.values(attributes)) {
      if (name === 'xmlns') continue;
      expect(name).toMatch(/^(?!on|style$)[A-Za-z][A-Za-z0-9-]*$/);
      expect(value).toMatch(VALUE);
      if (name === 'href') expect(value).toMatch(/^#/);
    }
  });
  for (const event of ['text', 'comment', 'doctype', 'processinginstruction', 'cdata'] as const)
    parser.on(event, () => expect(event).toBe('nothing'));
  parser.write(text).close();
}

describe('an SVG that is written anew', () => {
  it('keeps shapes, groups, gradients and references', () => {
    const shapes = [
      '<defs><linearGradient id="a" x1="0" y1="0" x2="100%" y2="1e2"><stop offset="0.5" stop-color="#FF0000" stop-opacity=".5"></stop></linearGradient></defs>',
      '<radialGradient id="b" href="#a" gradientUnits="userSpaceOnUse" gradientTransform="matrix(1 0 0 1 0.5 -3)"></radialGradient>',
      '<g transform="matrix(0 2 -2 0 1 2)"><path d="M0 0h10.5v-3e1c1,2 3,4 5,6z" fill="url(#a)"></path></g>',
      '<circle cx="5" cy="5" r="4" fill="rgb(1, 2, 3)" stroke="currentColor" stroke-width="2px"></circle>',
      '<polygon points="0,0 1,1 2,0" fill="none" opacity="50%"></polygon>',
    ];
    expect(written(shapes.join(''))).toBe(shapes.join(''));
    expectSafe(rewrite(inSvg(shapes.join(''))));
  });

  it('writes the properties of a style as attributes, which they stand above', () => {
    expect(written('<rect fill="red" style="fill: #fff; stroke-width:2; mix-blend-mode: multiply; -x-y: z"/>')).toBe(
      '<rect fill="#fff" stroke-width="2"></rect>',
    );
  });

  it('leaves out dashes, lengths of paths, clip paths and strokes without a scale, also in a style', () => {
    const clip = '<clipPath id="c" clipPathUnits="userSpaceOnUse"><circle r="9"/></clipPath>';
    const fields =
      'stroke-dasharray=".001" stroke-dashoffset="1" pathLength="1e9" clip-path="url(#c)" clip-rule="evenodd" vector-effect="non-scaling-stroke"';
    const style = 'stroke-dasharray:.001;stroke-dashoffset:1;vector-effect:non-scaling-stroke;clip-path:none';
    expect(written(`${clip}<path d="M0 0H9" ${fields}/><g style="${style}"/>`)).toBe('<path d="M0 0H9"></path><g></g>');
    expect(rewrite(inSvg('', 'viewBox="0 0 1 1" preserveAspectRatio="xMidYMid slice"'))).toBe(
      `<svg ${NS} viewBox="0 0 1 1"></svg>`,
    );
  });

  it('writes a transformation as one matrix, and a box as four numbers', () => {
    const file = inSvg(
      '<g transform="translate(10,20),scale(2 3)skewX(45) rotate(90 1 1)"/>',
      'viewBox="  -1,-2 1e2 5.50 "',
    );
    expect(rewrite(file)).toBe(`<svg ${NS} viewBox="-1 -2 100 5.5"><g transform="matrix(2 3 -2 0 14 20)"></g></svg>`);
  });

  it('leaves out texts about the file, comments, and attributes of drawing programs', () => {
    const file = `<?xml version="1.0" encoding="UTF-8"?><!-- made by --><svg ${NS} xmlns:ink="http://ink.example/" ink:version="1" version="1.1" class="a" viewBox="0 0 1 1" xml:space="preserve" aria-label="x" data-name="y"><title>T</title><desc>D<g/></desc>words<![CDATA[more]]><g ink:label="L"/></svg>`;
    expect(rewrite(file)).toBe(`<svg ${NS} viewBox="0 0 1 1"><g></g></svg>`);
  });

  it('reads the old name of references and other prefixes', () => {
    const file =
      '<s:svg xmlns:s="http://www.w3.org/2000/svg" xmlns:l="http://www.w3.org/1999/xlink"><s:linearGradient id="a"/><s:linearGradient id="b" l:href="#a"/></s:svg>';
    expect(rewrite(file)).toBe(
      inSvg('<linearGradient id="a"></linearGradient><linearGradient id="b" href="#a"></linearGradient>').replace(
        ' >',
        '>',
      ),
    );
  });
});

describe('an SVG is refused', () => {
  const hostile: [string, string][] = [
    ['that is empty', ''],
    ['that is HTML', '<!doctype html><html><body>hi</body></html>'],
    ['that is no XML', 'GIF89a'],
    ['that is not closed', `<svg ${NS}>`],
    ['of two documents', `${inSvg('')}${inSvg('')}`],
    ['without the namespace', '<svg><path d=""/></svg>'],
    ['with another root', `<g ${NS}/>`],
    ['in an SVG', inSvg(inSvg(''))],
    ['with a document type', `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://e.example/x.dtd">${inSvg('')}`],
    ['with entities', `<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>${inSvg('<title>&b;</title>')}`],
    ['with an external entity', `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${inSvg('&x;')}`],
    ['with an entity of nobody', inSvg('&nbsp;')],
    ['with a style sheet', `<?xml-stylesheet href="https://e.example/a.css"?>${inSvg('')}`],
    ['with a script', inSvg('<script>alert(1)</script>')],
    ['with a script in another case', inSvg('<SCRIPT/>')],
    ['with a script in a title', inSvg('<title><script>alert(1)</script></title>')],
    ['with a script of HTML', inSvg('<h:script xmlns:h="http://www.w3.org/1999/xhtml">alert(1)</h:script>')],
    ['with an event', inSvg('', 'onload="alert(1)"')],
    ['with an event of a shape', inSvg('<rect onclick="alert(1)"/>')],
    ['with an event in a title', inSvg('<title onclick="alert(1)"/>')],
    ['with a style element', inSvg('<style>*{fill:url(https://e.example)}</style>')],
    ['with a style with url()', inSvg('<linearGradient id="a"/><rect style="fill:url(#a)"/>')],
    ['with a style that imports', inSvg('<rect style="@import \'x\'"/>')],
    ['with a style with an escape', inSvg('<rect style="fill:u\\72l(https://e.example)"/>')],
    ['with a style with a comment', inSvg('<rect style="fill:/**/red"/>')],
    ['with a style with a script', inSvg('<rect style="fill:expression(alert(1))"/>')],
    ['with a foreign object', inSvg('<foreignObject><p xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>')],
    ['with an image', inSvg('<image href="https://e.example/a.png"/>')],
    ['with an image in it', inSvg('<image href="data:image/png;base64,AAAA"/>')],
    ['with a use', inSvg('<g id="a"/><use href="#a"/>')],
    ['with a link', inSvg('<a href="https://e.example"><g/></a>')],
    ['with a text', inSvg('<text>hello</text>')],
    ['with a filter', inSvg('<filter id="a"/>')],
    ['with an animation', inSvg('<rect><animate attributeName="href" to="javascript:alert(1)"/></rect>')],
    ['with a set', inSvg('<rect><set attributeName="onclick" to="alert(1)"/></rect>')],
    ['with a reference to another file', inSvg('<rect fill="url(https://e.example/#a)"/>')],
    ['with a reference to data', inSvg('<rect fill="url(data:image/svg+xml,x#a)"/>')],
    ['with a gradient of another file', inSvg('<linearGradient id="a" href="https://e.example/a.svg#b"/>')],
    ['with another base', inSvg('<g xml:base="https://e.example/"/>')],
    ['with a link of XLink', inSvg('<g xmlns:x="http://www.w3.org/1999/xlink" x:show="new"/>')],
    ['with a cursor', inSvg('<g cursor="url(#a)"/>')],
    ['with a mask', inSvg('<g mask="url(#a)"/>')],
    ['with a reference to nothing', inSvg('<rect fill="url(#a)"/>')],
    ['with a reference to a shape', inSvg('<rect id="a" fill="url(#a)"/>')],
    ['with a clip path as a colour', inSvg('<clipPath id="a"/><rect fill="url(#a)"/>')],
    ['with a script in a clip path', inSvg('<clipPath><script>alert(1)</script></clipPath>')],
    ['with an id twice', inSvg('<linearGradient id="a"/><linearGradient id="a"/>')],
    ['with a gradient of itself', inSvg('<linearGradient id="a" href="#a"/>')],
    ['with gradients in a circle', inSvg('<linearGradient id="a" href="#b"/><linearGradient id="b" href="#a"/>')],
    ['with 33 levels', inSvg('<g>'.repeat(32) + '</g>'.repeat(32))],
    ['with 5,001 elements', inSvg('<g/>'.repeat(5_000))],
    ['with a path that is no path', inSvg('<path d="M0 0 javascript:alert(1)"/>')],
    ['with a number that is none', inSvg('<rect width="calc(1px)"/>')],
    ['with a variable', inSvg('<rect fill="var(--a)"/>')],
    ['with an attribute of nobody', inSvg('<rect evil="1"/>')],
    ['with a prefix of nobody', inSvg('<x:rect/>')],
  ];

  it.each(hostile)('%s', (_, file) => {
    expect(() => rewrite(file)).toThrow(expect.objectContaining({ code: 'logo_not_safe' }));
  });

  it('that is not in UTF-8', () => {
    const file = Buffer.from(`\uFEFF${inSvg('')}`, 'utf16le');
    expect(() => rewriteSvg(file)).toThrow('UTF-8');
  });

  it('however long its values and its spaces are: a pattern that backtracks would take minutes', () => {
    const long = 60_000;
    const slow = [
      `<g transform="${' '.repeat(long)}x"/>`,
      `<g transform="${'matrix('.repeat(long / 7)}"/>`,
      `<g transform="${'scale(1)'.repeat(long / 8)}x"/>`,
      `<rect fill="url(#a)${' '.repeat(long)}x!"/>`,
      `<rect fill="url(${' '.repeat(long)}"/>`,
      `<rect fill="rgb(${' 1'.repeat(long / 2)}"/>`,
      `<polygon points="${'1e'.repeat(long / 2)}x"/>`,
      `<path d="M${' '.repeat(long)}x"/>`,
      `<path d="M0 0${'1e'.repeat(long / 2)}"/>`,
      `<rect style="${'fill:red!'.repeat(long / 9)}"/>`,
      `<rect style="fill:${'! '.repeat(long / 2)}"/>`,
      `<rect id="${'a'.repeat(long)}"/>`,
      '<g>'.repeat(long / 3),
      `<g ${Array.from({ length: 6_000 }, (_, index) => `a${index}=""`).join(' ')}/>`,
    ];
    for (const inner of slow) expect(() => rewrite(inSvg(inner))).toThrow(AppError);
  });

  it('or safe, whatever stands in it', () => {
    const name = fc.constantFrom(
      'svg',
      'g',
      'defs',
      'path',
      'rect',
      'stop',
      'linearGradient',
      'clipPath',
      'title',
      'desc',
      'script',
      'style',
      'use',
      'image',
      'foreignObject',
      'a',
      'x:g',
      'animate',
    );
    const attribute = fc.constantFrom(
      'id',
      'fill',
      'stroke',
      'style',
      'href',
      'x:href',
      'clip-path',
      'd',
      'transform',
      'points',
      'class',
      'offset',
      'onload',
      'xmlns',
      'xml:base',
      'x:onclick',
      'font-family',
      'data-x',
    );
    const value = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.constantFrom('a', 'b', '#a', 'url(#a)', 'url(#b) red', '1', 'red', 'M0 0z', 'fill:red'),
      },
      fc.constantFrom(
        'javascript:alert(1)',
        'url(//e.example)',
        '&#106;avascript:a',
        'fill:url(#a)',
        'data:,x',
        '"',
        '<',
        '&lt;script>',
        '&quot; onload=&quot;x',
      ),
      fc.string({ maxLength: 12 }),
    );
    const attributes = fc.uniqueArray(fc.tuple(attribute, value), { maxLength: 3, selector: ([each]) => each });
    const { element } = fc.letrec<{ element: string }>((tie) => ({
      element: fc
        .tuple(
          name,
          attributes,
          fc.array(fc.oneof({ depthSize: 'small' }, fc.constant('words'), tie('element')), { maxLength: 4 }),
        )
        .map(([tag, all, inner]) => {
          const text = all.map(([key, given]) => ` ${key}="${given.replaceAll('"', '&quot;')}"`).join('');
          return `<${tag}${text}>${inner.join('')}</${tag}>`;
        }),
    }));
    let kept = 0;
    fc.assert(
      fc.property(fc.array(element, { maxLength: 3 }), (elements) => {
        const file = `<svg ${NS} xmlns:x="http://www.w3.org/1999/xlink"><linearGradient id="q"/>${elements.join('')}</svg>`;
        const text = rewrittenOrNull(file);
        if (text === null) return;
        kept += 1;
        expectSafe(text);
        expect(rewrite(text)).toBe(text);
      }),
      { numRuns: CHANGED },
    );
    expect(kept).toBeGreaterThan(CHANGED / 20);
  });

  it('or safe, whatever is changed in a safe one', () => {
    const safe = Buffer.from(
      inSvg('<linearGradient id="a"><stop offset="0"/></linearGradient><rect fill="url(#a)" style="stroke:red"/>'),
    );
    const change = fc.tuple(
      fc.nat(safe.length - 1),
      fc.oneof(fc.nat(255), fc.constantFrom(...Buffer.from('<>"\'&;:#/='))),
    );
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        const bytes = Buffer.from(safe);
        for (const [at, byte] of changes) bytes[at] = byte;
        const text = rewrittenOrNull(bytes);
        if (text !== null) expectSafe(text);
      }),
      { numRuns: CHANGED },
    );
  });
});

function rewrittenOrNull(file: string | Buffer): string | null {
  try {
    return rewriteSvg(Buffer.from(file as string)).toString();
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code: 'logo_not_safe' });
    return null;
  }
}
