/** A style sheet: lib/tools/styles/cloudscape.js. */
declare module '*.gathered'
