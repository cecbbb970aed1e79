import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Schema } from '../http/fields/field-notes.js';
import { openApiOf, templateOf } from '../http/openapi/document.js';
import type { Route } from '../http/route.js';

interface DocumentedResponse {
  description: string;
  headers?: Record<string, Schema>;
  content?: Record<string, { schema: Schema; example?: unknown; examples?: Record<string, Schema> }>;
}

interface DocumentedParameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: Schema;
  example?: string | number | boolean;
}

export interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  parameters: DocumentedParameter[];
  requestBody?: { required: boolean; content: Record<string, { schema: Schema; example?: unknown }> };
  responses: Record<string, DocumentedResponse>;
}

interface Components {
  schemas: Record<string, Schema>;
  responses: Record<string, DocumentedResponse>;
}

/** Compiles each schema of the components once, instead of once for each place that refers to it. */
const AJV = {
  strict: true,
  strictTypes: false,
  allErrors: false,
  validateSchema: false,
  inlineRefs: false,
  code: { optimize: false },
};

/** The OpenAPI document of a service, with compiled validators. */
export class ApiDocument {
  private static readonly known = new Map<string, ApiDocument>();

  private readonly ajv = new Ajv2020(AJV);
  private readonly validators = new Map<string, ValidateFunction>();
  /** The same by the objects that were asked for, most of them parts of the document: no text is made of them again. */
  private readonly found = new WeakMap<Schema, ValidateFunction>();
  private readonly paths: { pattern: RegExp; template: string; methods: Record<string, Operation> }[];

  /** Returns the same document for all services of a suite that have the same routes. */
  static of(routes: Route[]): ApiDocument {
    const key = routes.map(({ method, path }) => `${method} ${path}`).join();
    const known =
      ApiDocument.known.get(key) ?? ApiDocument.ofJson(JSON.parse(JSON.stringify(openApiOf(routes))) as Schema);
    ApiDocument.known.set(key, known);
    return known;
  }

  /** Returns a document of another release too. */
  static ofJson(json: Schema): ApiDocument {
    return new ApiDocument(json);
  }

  private constructor(readonly json: Schema) {
    for (const [name, schema] of Object.entries(this.components.schemas)) {
      this.ajv.addSchema(withNames(JSON.stringify(schema)), name);
    }
    const methods = this.json.paths as Record<string, Record<string, Operation>>;
    this.paths = Object.entries(methods).map(([template, operations]) => ({
      template,
      methods: operations,
      pattern: patternOf(template),
    }));
  }

  get operationCount(): number {
    return this.paths.reduce((count, { methods }) => count + Object.keys(methods).length, 0);
  }

  has({ method, path }: Pick<Route, 'method' | 'path'>): boolean {
    return this.paths.some(
      ({ template, methods }) => template === templateOf({ path }) && methods[method] !== undefined,
    );
  }

  get components(): Components {
    return this.json.components as Components;
  }

  operation({ method, path }: Pick<Route, 'method' | 'path'>): Operation {
    const found = this.paths.find(({ template }) => template === templateOf({ path }))?.methods[method];
    if (found === undefined) throw new Error(`The document has no ${method} ${path}`);
    return found;
  }

  /**
   * Finds the documented path of a request.
   *
   * @returns null for an unknown path; `operation` is null for a known path with another method.
   */
  find(method: string, url: string): { template: string; operation: Operation | null } | null {
    // A target in absolute form is the same route as its path.
    const path = url.replace(/^https?:\/\/[^/?]*/i, '').split('?', 1)[0] ?? '';
    const matching = this.paths.filter(({ pattern }) => pattern.test(path));
    const name = method === 'HEAD' ? 'get' : method.toLowerCase();
    // Two templates may match one path, such as `/outbound/tiers` and a template of the same length. Express tries them
    // in order.
    const found = matching.find(({ methods }) => methods[name] !== undefined) ?? matching[0];
    return found === undefined ? null : { template: found.template, operation: found.methods[name] ?? null };
  }

  /** @returns the response with the status, without references; undefined when it is not documented. */
  response(operation: Operation, status: number): DocumentedResponse | undefined {
    const response = operation.responses[status];
    const reference = (response as { $ref?: string } | undefined)?.$ref;
    return reference === undefined ? response : this.components.responses[reference.split('/').at(-1) ?? ''];
  }

  /** @returns why the value does not match the schema; null when it does. */
  mismatch(schema: Schema, value: unknown): string | null {
    const validate = this.validatorOf(schema);
    return validate(value) ? null : this.ajv.errorsText(validate.errors);
  }

  private validatorOf(schema: Schema): ValidateFunction {
    const found = this.found.get(schema);
    if (found !== undefined) return found;
    const text = JSON.stringify(schema);
    const known = this.validators.get(text) ?? this.ajv.compile(withNames(text));
    this.validators.set(text, known);
    this.found.set(schema, known);
    return known;
  }
}

/** The validator knows the schemas of the components by their names. */
function withNames(schemaText: string): Schema {
  return JSON.parse(schemaText.replaceAll('"$ref":"#/components/schemas/', '"$ref":"')) as Schema;
}

function patternOf(template: string): RegExp {
  const path = template
    .replace(/\/$/, '')
    .replaceAll(/[.]/g, '\\.')
    .replaceAll(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${path}/?$`, 'i');
}
