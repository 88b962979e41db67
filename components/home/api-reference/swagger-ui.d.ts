declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  /** Puts the reference into `domNode`; the rest are settings of the library. */
  export default function SwaggerUI(
    settings: { domNode: HTMLElement; spec: object } & Record<string, unknown>,
  ): void
}
