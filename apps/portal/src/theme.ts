import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

/** The colour of actions and links. Shade 7 on white, and shade 4 on the dark body, have a contrast above 4.5. */
const lake: MantineColorsTuple = [
  '#eaf4fb',
  '#d3e6f3',
  '#a5cce6',
  '#74b0d9',
  '#69aed9',
  '#3585b8',
  '#28739f',
  '#1f5f8b',
  '#174d72',
  '#0f3a58',
];

/** @param close names the button that closes something, in the language of the page. */
export const themeWith = (close: string) =>
  createTheme({
    colors: { lake },
    primaryColor: 'lake',
    primaryShade: { light: 7, dark: 6 },
    defaultRadius: 'sm',
    cursorType: 'pointer',
    respectReducedMotion: true,
    fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif',
    fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
    headings: {
      fontWeight: '600',
      sizes: { h1: { fontSize: '1.375rem' }, h2: { fontSize: '1.0625rem' }, h3: { fontSize: '0.9375rem' } },
    },
    components: {
      Anchor: { defaultProps: { underline: 'hover' } },
      // The head of a dialog is not that of the page, and a cross says nothing to screen readers.
      Modal: { defaultProps: { attributes: { header: { role: 'none' } }, closeButtonProps: { 'aria-label': close } } },
      Notification: { defaultProps: { closeButtonProps: { 'aria-label': close } } },
      Table: { defaultProps: { verticalSpacing: 6, horizontalSpacing: 'sm', role: 'table' } },
      // Screen readers know a table whose rows are shown as cards only by its roles. The head names its own.
      TableThead: { defaultProps: { role: 'rowgroup' } },
      TableTbody: { defaultProps: { role: 'rowgroup' } },
      TableTr: { defaultProps: { role: 'row' } },
      TableTh: { defaultProps: { role: 'rowheader' } },
      TableTd: { defaultProps: { role: 'cell' } },
    },
  });

/** Mantine's own values of these have a contrast below 4.5 (WCAG 2.2, 1.4.3). */
export const accessibleColors: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5c636a',
    '--mantine-color-placeholder': '#6b7177',
    '--mantine-color-error': '#b42318',
    '--mantine-color-anchor': '#1f5f8b',
    '--mantine-color-default-border': '#c5cad0',
    '--portal-good': '#1c7238',
    '--portal-wait': '#8a5300',
    '--portal-bad': '#b42318',
    '--portal-off': '#5b6775',
    '--portal-good-tint': '#e7f5ec',
    '--portal-wait-tint': '#fff4dc',
    '--portal-bad-tint': '#fdecea',
    '--portal-off-tint': '#eef0f3',
    '--portal-quiet': '#f5f7f9',
  },
  dark: {
    '--mantine-color-dimmed': '#a6adb4',
    '--mantine-color-placeholder': '#9aa1a8',
    '--mantine-color-error': '#ff8a80',
    '--mantine-color-anchor': '#8cc4e8',
    '--portal-good': '#6fd08c',
    '--portal-wait': '#f0b955',
    '--portal-bad': '#ff8a80',
    '--portal-off': '#9aa7b4',
    '--portal-good-tint': '#173324',
    '--portal-wait-tint': '#3a2e14',
    '--portal-bad-tint': '#43201d',
    '--portal-off-tint': '#252e38',
    '--portal-quiet': '#2a2a2a',
  },
});

/** Returns the nonce of this page, without which the browser refuses Mantine's style elements. */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}
