import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

/** The colour of actions and links. Shade 7 on white, and shade 4 on the dark surface, have a contrast above 4.5. */
const lake: MantineColorsTuple = [
  '#eaf4fb',
  '#d3e6f3',
  '#a5cce6',
  '#7fbbe3',
  '#69aed9',
  '#3585b8',
  '#2c719f',
  '#1f5f8b',
  '#174d72',
  '#0f3a58',
];

/** Mantine takes text, borders, fields and surfaces of the dark look from these. */
const dark: MantineColorsTuple = [
  '#e8edf2',
  '#c3ccd5',
  '#9aa7b4',
  '#5f6c79',
  '#3c4754',
  '#2b343f',
  '#1f2731',
  '#1a2129',
  '#151b22',
  '#11161c',
];

/** @param close names the button that closes something, in the language of the page. */
export const themeWith = (close: string) =>
  createTheme({
    colors: { lake, dark },
    primaryColor: 'lake',
    primaryShade: { light: 7, dark: 6 },
    radius: { sm: '0.375rem', md: '0.625rem' },
    defaultRadius: 'sm',
    cursorType: 'pointer',
    respectReducedMotion: true,
    fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif',
    fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
    headings: {
      fontWeight: '600',
      sizes: {
        h1: { fontSize: '1.375rem', lineHeight: '1.75rem' },
        h2: { fontSize: '0.9375rem', lineHeight: '1.25rem' },
        h3: { fontSize: '0.875rem', lineHeight: '1.25rem' },
      },
    },
    components: {
      Anchor: { defaultProps: { underline: 'hover' } },
      // The head of a dialog is not that of the page, and a cross says nothing to screen readers.
      Modal: { defaultProps: { attributes: { header: { role: 'none' } }, closeButtonProps: { 'aria-label': close } } },
      Paper: { defaultProps: { radius: 'md' } },
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

/**
 * The surfaces, lines and states of both looks. Mantine's own values of some have a contrast below 4.5 (WCAG 2.2,
 * 1.4.3). A state has a tint and a colour of text on it: red is stopped, amber soon or waiting, grey off on purpose,
 * and green right.
 */
export const accessibleColors: CSSVariablesResolver = () => ({
  variables: { '--portal-accent': 'var(--mantine-primary-color-filled)' },
  light: {
    '--mantine-color-text': '#16202c',
    '--mantine-color-dimmed': '#5b6775',
    '--mantine-color-placeholder': '#67717d',
    '--mantine-color-error': '#b3261e',
    '--mantine-color-anchor': '#1f5f8b',
    '--mantine-color-default-border': '#c9ced6',
    '--portal-page': '#f5f6f8',
    '--portal-line': '#e2e5ea',
    '--portal-shadow': '0 1px 2px rgb(16 32 44 / 6%)',
    '--portal-accent-tint': '#e6f0f7',
    '--portal-quiet': '#f5f7f9',
    '--portal-good': '#1b6e3c',
    '--portal-wait': '#8a5a00',
    '--portal-bad': '#b3261e',
    '--portal-off': '#5b6775',
    '--portal-good-tint': '#e7f5ec',
    '--portal-wait-tint': '#fff4dc',
    '--portal-bad-tint': '#fdecea',
    '--portal-off-tint': '#eef0f3',
  },
  dark: {
    '--mantine-color-text': '#e8edf2',
    '--mantine-color-dimmed': '#9aa7b4',
    '--mantine-color-placeholder': '#9aa7b4',
    '--mantine-color-error': '#ff9b93',
    '--mantine-color-anchor': '#7fbbe3',
    '--mantine-color-default-border': '#3c4754',
    '--portal-page': '#11161c',
    '--portal-line': '#2b343f',
    '--portal-shadow': 'none',
    '--portal-accent-tint': '#1d3345',
    '--portal-quiet': '#232c36',
    '--portal-good': '#7bd39b',
    '--portal-wait': '#f0c46a',
    '--portal-bad': '#ff9b93',
    '--portal-off': '#9aa7b4',
    '--portal-good-tint': '#173324',
    '--portal-wait-tint': '#3a2e14',
    '--portal-bad-tint': '#43201d',
    '--portal-off-tint': '#252e38',
  },
});

/** Returns the nonce of this page, without which the browser refuses Mantine's style elements. */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}
