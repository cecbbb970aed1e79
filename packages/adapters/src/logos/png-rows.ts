/** The start of a PNG (IHDR). */
export interface PngHeader {
  width: number;
  height: number;
  bitDepth: number;
  colourType: number;
  isInterlaced: boolean;
}

/** Rows of pixels of the same length. */
interface Rows {
  count: number;
  /** With the byte that names the filter of the row. */
  bytes: number;
}

/** The colour types, with their samples for each pixel and the bit depths that they may have. */
const COLOUR_TYPES: Record<number, { samples: number; bitDepths: readonly number[] }> = {
  0: { samples: 1, bitDepths: [1, 2, 4, 8, 16] },
  2: { samples: 3, bitDepths: [8, 16] },
  3: { samples: 1, bitDepths: [1, 2, 4, 8] },
  4: { samples: 2, bitDepths: [8, 16] },
  6: { samples: 4, bitDepths: [8, 16] },
};

/** The passes of an interlaced image (Adam7): the first column and row of each, and their distances. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;
const LAST_FILTER = 4;

export function hasKnownPixels({ bitDepth, colourType }: PngHeader): boolean {
  return COLOUR_TYPES[colourType]?.bitDepths.includes(bitDepth) === true;
}

/** The number of bytes of all rows, before they are compressed. */
export function sizeOfRows(header: PngHeader): number {
  return rowsOf(header).reduce((sum, { count, bytes }) => sum + count * bytes, 0);
}

/** Whether each row begins with a filter that exists. @param pixels as long as `sizeOfRows` says */
export function hasKnownFilters(header: PngHeader, pixels: Uint8Array): boolean {
  let position = 0;
  for (const { count, bytes } of rowsOf(header)) {
    for (let row = 0; row < count; row += 1) {
      if ((pixels[position] ?? 0) > LAST_FILTER) return false;
      position += bytes;
    }
  }
  return true;
}

function rowsOf(header: PngHeader): Rows[] {
  const { width, height, isInterlaced } = header;
  if (!isInterlaced) return [{ count: height, bytes: rowBytes(header, width) }];
  return PASSES.flatMap(([column, row, columns, rows]) => {
    const inWidth = Math.ceil((width - column) / columns);
    const inHeight = Math.ceil((height - row) / rows);
    // A pass without pixels has no rows, not even their filters.
    return inWidth > 0 && inHeight > 0 ? [{ count: inHeight, bytes: rowBytes(header, inWidth) }] : [];
  });
}

function rowBytes({ bitDepth, colourType }: PngHeader, width: number): number {
  const { samples = 0 } = COLOUR_TYPES[colourType] ?? {};
  return 1 + Math.ceil((width * samples * bitDepth) / 8);
}
