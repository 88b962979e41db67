/// <reference types="next/image-types/global" />

declare module '*.md' {
  const text: string
  export default text
}
