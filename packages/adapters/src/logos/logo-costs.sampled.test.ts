import { LOGO_MAX_BYTES } from '@mailstead/core/brands/logo';
import { expectLinearTexts } from '@mailstead/core/testing/linear-cost';
import { sampled, sampleSize } from '@mailstead/core/testing/sampled';
import { rewritePng } from './png.js';
import { rewriteSvg } from './svg.js';
import { header, PIXEL, png } from './testing/made-png.js';

const PIECES = [
  '<path d="M0 0"/>',
  '<g>',
  '</g>',
  '<g fill="url(#a)">',
  '<radialGradient href="#a"><stop/></radialGradient>',
  '<circle r="1in" style="fill:red;stroke:none"/>',
  '<title/>',
  '<!--',
  '<![CDATA[',
  '<?a',
  '&amp;',
  '&#x41;',
  ' a="" ',
  ' xmlns:a="b"',
  'fill:red;',
  '!important',
  'url(#a)',
  'rotate(1)',
  'rgb(1,2,3)',
  'M0 0',
  'a1 1 0 0 0 1 1',
  't1 1',
  '1e9 ',
  '-.5',
];
/** The beginning of an SVG and its end, with a place for a text between them. */
const PLACES = [
  ['', '/>'],
  ['>', '</svg>'],
  ['><!--', '--></svg>'],
  ['><', '/></svg>'],
  ['><g ', '/></svg>'],
  ['><path d="', '"/></svg>'],
  ['><path d="M0 0', '"/></svg>'],
  ['><polygon points="', '"/></svg>'],
  ['><g transform="', '"/></svg>'],
  ['><g transform="rotate(', ')"/></svg>'],
  ['><g style="', '"/></svg>'],
  ['><g style="fill:', '"/></svg>'],
  ['><g fill="', '"/></svg>'],
  ['><g fill="rgb(', ')"/></svg>'],
  ['><g id="', '"/></svg>'],
  ['><g class="', '"/></svg>'],
  ['><rect width="', '"/></svg>'],
  [' viewBox="', '"/>'],
] as const;

const refused = (error: unknown) => expect(error).toMatchObject({ code: 'logo_not_safe' });

describe('a logo', () => {
  it.each(PLACES)('takes at most 2.5 times as long when its SVG is twice as long: <svg%s…%s', async (begin, end) => {
    await expectLinearTexts({
      pieces: PIECES,
      longest: LOGO_MAX_BYTES,
      draws: sampleSize(100, 3),
      inputOf: (text) => Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"${begin}${text}${end}`),
      read: (file) => {
        try {
          rewriteSvg(file);
        } catch (error) {
          refused(error);
        }
      },
    });
  });

  it('takes at most 2.5 times as long when its PNG has twice as many chunks', async () => {
    const chunks = ['IDAT', 'tEXt', 'tRNS', 'PLTE', 'IEND', 'abcd'].map((type) =>
      png([type, Buffer.alloc(0)]).subarray(8),
    );
    for (const chunk of sampled(chunks, 3))
      await expectLinearTexts({
        pieces: [chunk.toString('latin1')],
        longest: LOGO_MAX_BYTES,
        draws: sampleSize(20, 2),
        inputOf: (text) => Buffer.concat([png(header(), PIXEL), Buffer.from(text, 'latin1')]),
        read: (file) => rewritePng(file).catch(refused),
      });
  });
});
