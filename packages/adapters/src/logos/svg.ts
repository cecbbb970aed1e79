import { isUtf8 } from 'node:buffer';
import { AppError } from '@mailstead/core/errors';
import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from 'saxes';
import { SvgDrawing } from './svg-drawing.js';
import { SvgReferences } from './svg-references.js';
import {
  ID,
  isKnownElement,
  isLeftOut,
  LEFT_OUT,
  NEVER,
  REFERENCE,
  type Rule,
  ruleOf,
  ruleOfProperty,
} from './svg-rules.js';
import { unsafeLogo } from './unsafe-logo.js';

const SVG = 'http://www.w3.org/2000/svg';
const XLINK = 'http://www.w3.org/1999/xlink';
const XML = 'http://www.w3.org/XML/1998/namespace';
const MAX_ELEMENTS = 5_000;
/** A browser calls itself once for each level. */
const MAX_DEPTH = 32;

/**
 * Writes an SVG anew: elements and attributes of a fixed list, each value checked, everything else left out when it
 * changes nothing, and refused otherwise. There is no document type, so there are no entities but those of XML.
 *
 * @throws AppError logo_not_safe
 */
export function rewriteSvg(file: Buffer): Buffer {
  if (!isUtf8(file)) throw unsafeLogo('is not in UTF-8');
  const writer = new SvgWriter();
  const parser = new SaxesParser({ xmlns: true });
  parser.on('doctype', () => refuse('has a document type (DOCTYPE); remove it'));
  parser.on('processinginstruction', ({ target }) => refuse(`has the instruction ${shown(target)}`));
  parser.on('opentag', (tag) => writer.open(tag));
  parser.on('closetag', ({ local }) => writer.close(local));
  parser.on('error', (cause) => {
    throw unsafeLogo('is not well-formed XML', cause);
  });
  try {
    parser.write(file.toString('utf8')).close();
  } catch (cause) {
    throw cause instanceof AppError ? cause : unsafeLogo('is not well-formed XML', cause);
  }
  return Buffer.from(writer.end());
}

/** Collects the text of the new file. Nothing of the given text gets into it but names and values of the lists. */
class SvgWriter {
  private readonly parts: string[] = [];
  private readonly references = new SvgReferences();
  private readonly drawing = new SvgDrawing();
  private readonly path: string[] = [];
  private elements = 0;
  /** The number of open elements from the first one on that is left out; 0 when all are written. */
  private leftOut = 0;

  open({ local, uri, attributes }: SaxesTagNS): void {
    this.elements += 1;
    if (this.elements > MAX_ELEMENTS) refuse(`has more than ${MAX_ELEMENTS} elements`);
    if (this.path.length === MAX_DEPTH) refuse(`has elements more than ${MAX_DEPTH} levels deep`);
    if (uri !== SVG || !isKnownElement(local)) refuse(`has the element ${shown(local)}`);
    if ((local === 'svg') !== (this.path.length === 0)) refuse('must have one svg element, around all others');
    const fields = this.fieldsOf(local, Object.values(attributes));
    this.path.push(local);
    if (this.leftOut > 0 || LEFT_OUT.has(local)) {
      this.leftOut += 1;
      return;
    }
    this.references.declare(local, fields);
    this.drawing.open(local, fields);
    const namespace = local === 'svg' ? ` xmlns="${SVG}"` : '';
    const text = [...fields].map(([name, value]) => ` ${name}="${escaped(value)}"`).join('');
    this.parts.push(`<${local}${namespace}${text}>`);
  }

  close(local: string): void {
    this.path.pop();
    if (this.leftOut > 0) {
      this.leftOut -= 1;
      return;
    }
    this.drawing.close();
    this.parts.push(`</${local}>`);
  }

  end(): string {
    const problem = this.references.problem(this.drawing.uses);
    if (problem !== null) refuse(problem);
    return this.parts.join('');
  }

  /** Checks the attributes of an element. A property in `style` is written as an attribute, which it stands above. */
  private fieldsOf(element: string, attributes: SaxesAttributeNS[]): Map<string, string> {
    const fields = new Map<string, string>();
    let style = '';
    for (const { prefix, local, uri, name, value } of attributes) {
      if (prefix === 'xmlns' || name === 'xmlns') continue;
      const isPlain = uri === '';
      if (isPlain && local === 'style') style = value;
      else if (isPlain || (uri === XLINK && local === 'href')) this.addField(fields, element, local, value);
      // Attributes of drawing programs. `xml:base` would change what references lead to.
      else if (uri === XLINK || (uri === XML && local === 'base')) refuse(`has the attribute ${shown(name)}`);
    }
    if (NEVER.test(style)) refuse('has a style with url(), an escape or a rule');
    for (const declaration of style.split(';')) {
      const [property = '', ...rest] = declaration.split(':');
      const rule = ruleOfProperty(property.trim());
      const value = rest.join(':').replace(/!\s*important\s*$/i, '');
      if (rule !== null) fields.set(property.trim(), checked(property.trim(), value, rule));
    }
    return fields;
  }

  private addField(fields: Map<string, string>, element: string, name: string, value: string): void {
    const rule = ruleOf(element, name);
    if (rule !== null) fields.set(name, checked(name, value, rule));
    else if (!isLeftOut(name)) refuse(`has the attribute ${shown(name)} of ${element}`);
  }
}

/** @returns the value as it is written */
function checked(name: string, given: string, { form, refers, write }: Rule): string {
  const value = given.trim();
  if (form.test(value)) return write === undefined ? value : write(value);
  if (name === 'href' && value.startsWith('#') && ID.test(value.slice(1))) return value;
  const [, , id = '', colour] = (refers === undefined || name === 'href' ? null : REFERENCE.exec(value)) ?? [];
  if (!ID.test(id)) throw unsafeLogo(`has a value of ${name} that is not allowed: ${shown(value)}`);
  return `url(#${id})${colour === undefined ? '' : ` ${colour}`}`;
}

function refuse(message: string): never {
  throw unsafeLogo(message);
}

/** A short part of the file, as a message may show it. */
function shown(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 40);
}

function escaped(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
