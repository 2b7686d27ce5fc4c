// Lays a graph of jobs out in columns and writes it as Mermaid and as the shapes of an SVG.
#include "review/graph.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "review/visible.hpp"

namespace s2f::review {

namespace {

using emit::View;

// Units of the drawing.
constexpr int row_height = 64;
constexpr int box_height = 44;
constexpr int gap = 56; // between columns
constexpr int margin = 8;
constexpr double character = 8.5; // about its width in the page's font

// The column of each node: one right of the last that it waits for. Edges of a loop that lead back
// are left out of account.
std::vector<std::size_t> columns(const JobGraph& graph) {
  std::vector<std::size_t> column(graph.nodes.size(), 0);
  for (std::size_t round = 0; round < graph.nodes.size(); ++round) {
    bool changed = false;
    for (const JobEdge& edge : graph.edges) {
      if (edge.from < edge.to && column[edge.to] < column[edge.from] + 1) {
        column[edge.to] = column[edge.from] + 1;
        changed = true;
      }
    }
    if (!changed) {
      break;
    }
  }
  return column;
}

struct Box {
  int x = 0, y = 0, width = 0;
};

std::vector<Box> place(const JobGraph& graph, int& width, int& height) {
  const auto column = columns(graph);
  std::map<std::size_t, int> widths;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const auto longest = std::max(graph.nodes[i].name.size(), graph.nodes[i].note.size());
    int& wide = widths[column[i]];
    wide = std::max(wide, static_cast<int>(static_cast<double>(longest) * character) + 24);
  }
  std::map<std::size_t, int> left;
  int x = margin;
  for (const auto& [number, wide] : widths) {
    left[number] = x;
    x += wide + gap;
  }
  width = x - gap + margin;
  std::map<std::size_t, int> filled;
  std::vector<Box> boxes;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const int row = filled[column[i]]++;
    boxes.push_back({left[column[i]], margin + row * row_height, widths[column[i]]});
    height = std::max(height, boxes.back().y + box_height + margin);
  }
  return boxes;
}

bool is_certain(std::string_view kind) { return kind == "afterok" || kind == "files"; }

} // namespace

std::string mermaid(const JobGraph& graph) {
  if (graph.nodes.size() < 2) {
    return {};
  }
  std::string out = "flowchart LR\n";
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    // Names are Python's and notes are ours: no character of them means anything to Mermaid.
    out += fmt::format("    j{}[\"{}{}{}\"]\n", i, graph.nodes[i].name,
                       graph.nodes[i].note.empty() ? "" : "<br>", graph.nodes[i].note);
  }
  for (const JobEdge& edge : graph.edges) {
    out += edge.kind == "afterok" ? fmt::format("    j{} --> j{}\n", edge.from, edge.to)
           : is_certain(edge.kind)
               ? fmt::format("    j{} -->|{}| j{}\n", edge.from, edge.kind, edge.to)
               : fmt::format("    j{} -.->|{}| j{}\n", edge.from, edge.kind, edge.to);
  }
  return out;
}

View drawing(const JobGraph& graph) {
  if (graph.nodes.size() < 2) {
    return {};
  }
  int width = 0;
  int height = 0;
  const auto boxes = place(graph, width, height);
  View nodes = View::array();
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const Box& box = boxes[i];
    const bool noted = !graph.nodes[i].note.empty();
    nodes.push_back({{"x", box.x},
                     {"y", box.y},
                     {"width", box.width},
                     {"height", box_height},
                     {"text_x", box.x + box.width / 2},
                     {"name_y", box.y + (noted ? 19 : 27)},
                     {"note_y", box.y + 35},
                     {"name", visible(graph.nodes[i].name)},
                     {"note", noted ? View(visible(graph.nodes[i].note)) : View()}});
  }
  View edges = View::array();
  for (const JobEdge& edge : graph.edges) {
    const Box& from = boxes[edge.from];
    const Box& to = boxes[edge.to];
    const int x = from.x + from.width;
    const int y = from.y + box_height / 2;
    const int end_y = to.y + box_height / 2;
    edges.push_back({{"path", fmt::format("M{} {} C{} {} {} {} {} {}", x, y, x + gap / 2, y,
                                          to.x - gap / 2, end_y, to.x - 4, end_y)},
                     {"dashed", !is_certain(edge.kind)},
                     {"kind", edge.kind}});
  }
  return {{"width", width},
          {"height", height},
          {"words", visible(graph_in_words(graph))},
          {"nodes", std::move(nodes)},
          {"edges", std::move(edges)}};
}

std::string graph_in_words(const JobGraph& graph) {
  std::vector<std::string> sentences;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    std::vector<std::string> before;
    for (const JobEdge& edge : graph.edges) {
      if (edge.to == i) {
        before.push_back(fmt::format("{} ({})", graph.nodes[edge.from].name, edge.kind));
      }
    }
    const auto& node = graph.nodes[i];
    sentences.push_back(fmt::format(
        "{}{}{}", node.name, node.note.empty() ? "" : fmt::format(" ({})", node.note),
        before.empty() ? " at once" : fmt::format(" after {}", fmt::join(before, ", "))));
  }
  return fmt::format("{}.", fmt::join(sentences, "; "));
}

} // namespace s2f::review
