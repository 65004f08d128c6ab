/** The API as its OpenAPI document has it, for the scripts of the console. Read by the type checker alone. */

import type { components, paths } from "acervo-openapi";

export type { paths };
export type Schemas = components["schemas"];
export type Session = Schemas["SessionAnswer"];
export type Method<P extends keyof paths> = {
  [M in keyof paths[P]]-?: paths[P][M] extends { responses: unknown } ? M : never;
}[keyof paths[P]] &
  string;

type Good<R> = R extends { 200: infer A } ? A : R extends { 201: infer A } ? A : R extends { 202: infer A } ? A : never;
type Json<A> = A extends { content: { "application/json": infer B } } ? B : never;

/** What a good answer of a route holds. */
export type Answer<P extends keyof paths, M extends keyof paths[P]> = paths[P][M] extends { responses: infer R }
  ? Json<Good<R>>
  : never;
