/** A style sheet: lib/styles/cloudscape.js. */
declare module '*.gathered'
