import { drawing } from './icons'

/** Drawings that only screens behind the sign-in use, so that the sign-in does not load them. */
export const screenIcons = {
  home: drawing(<path d="M2.5 7 8 2.5 13.5 7v6.5h-4v-4h-3v4h-4z" />),
  networks: drawing(
    <path d="M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8zM1.8 8h12.4M8 1.8c4 4 4 8.4 0 12.4M8 1.8c-4 4-4 8.4 0 12.4" />,
  ),
  ips: drawing(
    <path d="M8 14.2C5 11 3.3 8.8 3.3 6.4a4.7 4.7 0 0 1 9.4 0c0 2.4-1.7 4.6-4.7 7.8zM8 7.9a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3z" />,
  ),
  rules: drawing(<path d="M1.8 5h12.4M11.2 2l3 3-3 3M14.2 11H1.8M4.8 8l-3 3 3 3" />),
  datacenters: drawing(<path d="M2.5 2.5h11v4.7h-11zM2.5 8.8h11v4.7h-11zM5 4.9h.6M5 11.2h.6" />),
  scopes: drawing(
    <path d="M6 2.2h4v3.6H6zM1.8 10.2h4v3.6h-4zM10.2 10.2h4v3.6h-4zM8 5.8v2.4M3.8 10.2v-2h8.4v2" />,
  ),
  enterprises: drawing(
    <path d="M2.5 13.8V2.2h6.4v11.6M8.9 6.2h4.6v7.6M1.2 13.8h13.6M4.9 5h1.6M4.9 8h1.6M4.9 11h1.6" />,
  ),
  users: drawing(
    <path d="M6 7.4A2.6 2.6 0 1 0 6 2.2a2.6 2.6 0 0 0 0 5.2zM1.4 13.6c.3-2.6 2-4 4.6-4s4.3 1.4 4.6 4M10.6 2.5a2.6 2.6 0 0 1 0 4.7M12.3 9.9c1.4.6 2.1 1.9 2.3 3.7" />,
  ),
  events: drawing(<path d="M2 8a6 6 0 1 0 1.9-4.4M2 2.4v2.8h2.8M8 4.8V8l2.2 1.5" />),
  settings: drawing(
    <path d="M2 4.5h7M12.4 4.5H14M2 11.5h1.6M7 11.5h7M10.7 6.1a1.6 1.6 0 1 0 0-3.2 1.6 1.6 0 0 0 0 3.2zM5.3 13.1a1.6 1.6 0 1 0 0-3.2 1.6 1.6 0 0 0 0 3.2z" />,
  ),
  account: drawing(<path d="M8 8.2a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2.6 14c.4-2.8 2.4-4 5.4-4s5 1.2 5.4 4" />),
  api: drawing(<path d="M5.4 4 1.6 8l3.8 4M10.6 4l3.8 4-3.8 4" />),
  help: drawing(
    <path d="M8 14.2A6.2 6.2 0 1 0 8 1.8a6.2 6.2 0 0 0 0 12.4zM6.2 6.2A1.8 1.8 0 1 1 8 8.1v1M8 11.4v.1" />,
  ),
  search: drawing(<path d="M7 11.8a4.8 4.8 0 1 0 0-9.6 4.8 4.8 0 0 0 0 9.6zM10.5 10.5l3.3 3.3" />),
  close: drawing(<path d="m4 4 8 8M12 4l-8 8" />),
  more: drawing(<path d="M3.4 8h.01M8 8h.01M12.6 8h.01" strokeWidth="2" />),
  plus: drawing(<path d="M8 3v10M3 8h10" />),
  after: drawing(<path d="M6.2 3.6 10.6 8l-4.4 4.4" />),
  down: drawing(<path d="M4 6.2 8 10.2l4-4" />),
  up: drawing(<path d="M4 9.8 8 5.8l4 4" />),
  download: drawing(<path d="M8 2.2v8M4.8 7 8 10.2 11.2 7M2.4 13.6h11.2" />),
  theme: drawing(
    <path d="M8 14.2A6.2 6.2 0 1 0 8 1.8a6.2 6.2 0 0 0 0 12.4zM8 1.8v12.4M8 5h4.7M8 8h6.2M8 11h4.7" />,
  ),
  refresh: drawing(<path d="M13.8 8a5.8 5.8 0 1 1-1.8-4.2M13.8 1.8v3h-3" />),
  remove: drawing(<path d="M2.6 4.4h10.8M6 4.4V2.2h4v2.2M4 4.4l.6 9.4h6.8l.6-9.4M6.6 7v4.2M9.4 7v4.2" />),
  undo: drawing(<path d="M5.4 2.8 2.4 5.8l3 3M2.6 5.8h7a4 4 0 0 1 0 8H6" />),
  envelope: drawing(<path d="M1.8 3.4h12.4v9.2H1.8zM2 3.8l6 5 6-5" />),
  zoomIn: drawing(
    <path d="M7 11.8a4.8 4.8 0 1 0 0-9.6 4.8 4.8 0 0 0 0 9.6zM10.5 10.5l3.3 3.3M7 5v4M5 7h4" />,
  ),
  zoomOut: drawing(<path d="M7 11.8a4.8 4.8 0 1 0 0-9.6 4.8 4.8 0 0 0 0 9.6zM10.5 10.5l3.3 3.3M5 7h4" />),
  upload: drawing(<path d="M8 10.6V2.4M4.8 5.4 8 2.2l3.2 3.2M2.4 13.6h11.2" />),
  edit: drawing(<path d="M2.4 13.6l.6-3.2 8-8 2.6 2.6-8 8zM9.6 3.8l2.6 2.6" />),
  external: drawing(<path d="M6.4 3.2H2.8v10h10V9.6M9.2 2.4h4.4v4.4M13.4 2.6 7.4 8.6" />),
  calendar: drawing(<path d="M2.4 3.6h11.2v10H2.4zM2.4 6.8h11.2M5.4 2v3M10.6 2v3" />),
  file: drawing(<path d="M9.4 1.8H3.8v12.4h8.4V4.6zM9.4 1.8v2.8h2.8" />),
  print: drawing(<path d="M4.4 6V2h7.2v4M4.4 11.6H2V6h12v5.6h-2.4M4.4 9.4h7.2V14H4.4z" />),
  roles: drawing(
    <path d="M5.2 13.6a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6zM7.2 8.8 13.4 2.6M10.6 5.4l2 2" />,
  ),
  devices: drawing(<path d="M1.8 3h12.4v7.6H1.8zM5.4 13.4h5.2M8 10.6v2.8" />),
  centers: drawing(<path d="M2.5 2.5h11v8h-11zM5.5 13.5h5M8 10.5v3M5 5.2h2.4v2.6H5zM8.8 5.2h2.4v2.6H8.8z" />),
  machines: drawing(<path d="m8 1.8 5.6 3.1v6.2L8 14.2l-5.6-3.1V4.9zM2.6 5 8 8l5.4-3M8 8v6" />),
  document: drawing(<path d="M3.4 1.8h6l3.2 3.2v9.2H3.4zM9.2 2v3.2h3.2" />),
  keyboard: drawing(<path d="M1.4 4h13.2v8H1.4zM4 6.8h.01M6.7 6.8h.01M9.3 6.8h.01M12 6.8h.01M5 9.4h6" />),
  map: drawing(
    <path d="M2.4 2.4h4.4v4.4H2.4zM9.2 2.4h4.4v4.4H9.2zM2.4 9.2h4.4v4.4H2.4zM9.2 9.2h4.4v4.4H9.2z" />,
  ),
  move: drawing(
    <path d="M8 1.8v12.4M1.8 8h12.4M6.2 3.6 8 1.8l1.8 1.8M6.2 12.4 8 14.2l1.8-1.8M3.6 6.2 1.8 8l1.8 1.8M12.4 6.2 14.2 8l-1.8 1.8" />,
  ),
  lock: drawing(<path d="M3.2 7h9.6v6.8H3.2zM5.2 7V4.9a2.8 2.8 0 0 1 5.6 0V7" />),
  jobs: drawing(<path d="M2.4 3.8h11.2M2.4 8h7M2.4 12.2h4M9.4 12l1.8 1.8 3.4-4" />),
  enable: drawing(<path d="M4.2 2.6 12.8 8l-8.6 5.4z" />),
  disable: drawing(<path d="M5 3v10M11 3v10" />),
  stop: drawing(<path d="M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8zM3.7 3.7l8.6 8.6" />),
  leave: drawing(<path d="M6.4 2.4H2.6v11.2h3.8M10.2 4.8 13.4 8l-3.2 3.2M13.2 8H6" />),
  menu: drawing(<path d="M2 4h12M2 8h12M2 12h12" />),
  columns: drawing(<path d="M2.4 2.8h11.2v10.4H2.4zM6.1 2.8v10.4M9.9 2.8v10.4" />),
  view: drawing(
    <path d="M1.4 8S3.8 3.6 8 3.6 14.6 8 14.6 8 12.2 12.4 8 12.4 1.4 8 1.4 8zM8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4z" />,
  ),
  views: drawing(<path d="M4 2.2h8v11.6L8 10.8l-4 3z" />),
  goTo: drawing(<path d="M2.4 8h8.4M7.4 4.4 11 8l-3.6 3.6M13.6 2.6v10.8" />),
}
