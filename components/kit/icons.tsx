import type { ReactNode } from 'react'

/* One line of 1.4, round ends, on a field of 16. */
export const drawing = (shape: ReactNode) => (
  <svg
    viewBox="0 0 16 16"
    width="16"
    height="16"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.4"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    {shape}
  </svg>
)

const eye =
  'M1.4 8S3.8 3.6 8 3.6 14.6 8 14.6 8 12.2 12.4 8 12.4 1.4 8 1.4 8zM8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4z'

export const icons = {
  before: drawing(<path d="M9.8 3.6 5.4 8l4.4 4.4" />),
  check: drawing(<path d="m3.4 8.4 3 3 6.2-6.6" />),
  copy: drawing(<path d="M5.6 5.6h7.8v7.8H5.6zM3 10.4h-.4V2.6h7.8V3" />),
  eye: drawing(<path d={eye} />),
  eyeOff: drawing(<path d={`${eye}M2.6 13.4 13.4 2.6`} />),
  key: drawing(<path d="M5.2 13.6a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6zM7.2 8.8 13.4 2.6M10.6 5.4l2 2" />),
}
