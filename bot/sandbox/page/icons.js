// The page's few line icons, drawn on a 24-unit grid and stroked in the text's colour.

import { svg } from "./dom.js";

const PATHS = {
  attach: "M20 11.5 12 19.4a5 5 0 0 1-7.1-7.1l8.5-8.4a3.3 3.3 0 0 1 4.7 4.7l-8.4 8.4a1.7 1.7 0 0 1-2.4-2.4l7.5-7.4",
  back: "M15 5l-7 7 7 7",
  bolt: "M13 3 5 14h6l-1 7 8-11h-6l1-7z",
  check: "M5 12.5 10 17.5 19.5 7",
  chevron: "M6 9l6 6 6-6",
  circle: "M12 4.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15z",
  close: "M6 6l12 12M18 6 6 18",
  download: "M12 4v11m0 0 4.5-4.5M12 15l-4.5-4.5M5 20h14",
  edit: "M4 20l1-4L16.5 4.5l3 3L8 19l-4 1zM14 7l3 3",
  eye: "M3 12s3.5-6 9-6 9 6 9 6-3.5 6-9 6-9-6-9-6zm9-2.6a2.6 2.6 0 1 0 0 5.2 2.6 2.6 0 0 0 0-5.2z",
  file: "M6 3h8l4 4v14H6V3zm8 0v4h4",
  flag: "M6 21V4h11l-2 4 2 4H6",
  hash: "M9.5 4 8 20M16 4l-1.5 16M4.5 9h15.5M4 15h15.5",
  home: "M4 11 12 4l8 7v9h-5.5v-5.5h-5V20H4z",
  image: "M4 5h16v14H4zM4 16l4.5-4.5 4 4 3-3L20 17M9 9.2a.8.8 0 1 1-1.6 0 .8.8 0 0 1 1.6 0z",
  info: "M12 4.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15zM12 11v5M12 8v.2",
  lock: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
  mark: "M12 4v9m0 0c0 3.5-2.300 5.6-5.5 6.5M12 13c0 3.5 2.300 5.6 5.5 6.5M12 13v6.5M8.5 7.5h7",
  menu: "M4 7h16M4 12h16M4 17h16",
  more: "M5.5 12h.1M12 12h.1M18.5 12h.1",
  panel: "M4 5h16v14H4zM14.5 5v14",
  reply: "M9 7 4 12l5 5M4.5 12H15a5 5 0 0 1 5 5v1",
  search: "M11 5a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM15.5 15.5 20 20",
  send: "M4 12 20 4l-5 16-4-6.5zM11 13.5 20 4",
  slash: "M6 6l12 12M12 4.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15z",
  thumbDown:
    "M7 4v9H4V4zM7 13l4 7c1.5 0 2.300-1 2-2.5L12.5 14H18c1.5 0 2.300-1.2 2-2.5L18.5 6C18.2 4.700 17.300 4 16 4H7",
  thumbUp:
    "M7 20v-9H4v9zM7 11l4-7c1.5 0 2.300 1 2 2.5L12.5 10H18c1.5 0 2.300 1.2 2 2.5L18.5 18c-.3 1.300-1.2 2-2.5 2H7",
  trash: "M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13",
  warning: "M12 4 3 19.5h18zM12 10v4.5M12 17v.2",
};

/** The named icon; an unknown name gives the "more" dots. With a label it is read out, else hidden from readers. */
export const icon = (name, options) => svg(PATHS[name] ?? PATHS.more, options);
