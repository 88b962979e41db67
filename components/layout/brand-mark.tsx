/** The same drawing as public/favicon.svg, here without a request of its own. */
export const BrandMark = ({ size }: { size: number }) => (
  <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
    <rect width="32" height="32" rx="8" fill="#006ce0" />
    <path d="M10.6 22.5a4.6 4.6 0 0 1-.5-9.17 6.3 6.3 0 0 1 12.02 1.2 4 4 0 0 1-.72 7.97z" fill="#fff" />
  </svg>
)
