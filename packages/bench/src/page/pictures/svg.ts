import { BarChart, type BarSeriesOption, LineChart, type LineSeriesOption } from 'echarts/charts';
import {
  GridComponent,
  type GridComponentOption,
  LegendComponent,
  type LegendComponentOption,
  MarkLineComponent,
  type MarkLineComponentOption,
  TitleComponent,
  type TitleComponentOption,
} from 'echarts/components';
import { type ComposeOption, init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';

use([BarChart, LineChart, GridComponent, LegendComponent, MarkLineComponent, TitleComponent, SVGRenderer]);

type ChartOption = ComposeOption<
  | BarSeriesOption
  | LineSeriesOption
  | GridComponentOption
  | LegendComponentOption
  | MarkLineComponentOption
  | TitleComponentOption
>;

/** A picture of a page. */
export interface Picture {
  title: string;
  /** What the picture shows, with its numbers, for people who do not see it. */
  description: string;
  option: ChartOption;
}

const SIZE = { width: 760, height: 380 };
export const TEXT = '#1f2328';
/** Each has a contrast of 3 and more to the background, and people with any colour vision can tell them apart. */
const COLORS = ['#0072b2', '#b35900', '#00785a', '#8a3d75'];

/**
 * Draws a picture with a background of its own, so that it is readable on a light and on a dark page. The same picture
 * always has the same bytes.
 */
export function svgOf({ title, description, option }: Picture): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, ...SIZE });
  chart.setOption({
    animation: false,
    backgroundColor: '#ffffff',
    color: COLORS,
    textStyle: { fontFamily: 'sans-serif', fontSize: 13, color: TEXT },
    title: { text: title, left: 'center', top: 8, textStyle: { color: TEXT, fontSize: 15 } },
    legend: { top: 36, itemGap: 32, textStyle: { color: TEXT, fontSize: 13 } },
    grid: { left: 64, right: 24, top: 80, bottom: 48 },
    ...option,
  });
  const svg = chart.renderToSVGString();
  chart.dispose();
  const named = svg
    // The library counts the charts and the styles for the mouse of a process, and writes the numbers into names.
    .replaceAll(/\bzr\d+-c(?=\d)/g, 'area-')
    .replaceAll(/ (class="zr\d+-cls-\d+"|ecmeta_\w+="[^"]*"|pointer-events="visible")/g, '')
    .replace(/<style >.*?<\/style>\n/s, '')
    .replace(/^<svg /, '<svg role="img" aria-labelledby="title description" ')
    .replace(
      '>',
      `>\n<title id="title">${escaped(title)}</title>\n<desc id="description">${escaped(description)}</desc>`,
    );
  return `${named}\n`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** An axis with a name in its middle. */
export function axis(name: string, nameGap: number): object {
  return {
    name,
    nameLocation: 'middle',
    nameGap,
    nameTextStyle: { color: TEXT, fontSize: 13 },
    axisLabel: { color: TEXT, fontSize: 13 },
    axisLine: { lineStyle: { color: TEXT } },
    splitLine: { lineStyle: { color: '#d0d7de' } },
  };
}
