// OpenSpiel's Spades with no Python at all: one core, random legal play.
//   openspiel_loop MODE SECONDS WINDOWS      prints "decisions cpu_seconds wall_seconds" for each window
// MODE is legal (legal actions only), mask (and the legal action mask) or tensor (and the observation of the seat to act).
// Deals, which are chance steps of this game, are inside the timed region; decisions are those of the four players.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "open_spiel/spiel.h"

namespace {

std::uint64_t random_state = 1;

std::uint64_t Below(std::uint64_t bound) {  // xorshift: cheap, so that what is timed is the game
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state % bound;
}

double CpuSeconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double WallSeconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Plays one deal; returns how many decisions players made.
long PlayDeal(const open_spiel::Game& game, bool mask, bool tensor, std::vector<float>* values, double* kept) {
  std::unique_ptr<open_spiel::State> state = game.NewInitialState();
  long decisions = 0;
  while (!state->IsTerminal()) {
    const std::vector<open_spiel::Action> legal = state->LegalActions();
    if (!state->IsChanceNode()) {
      if (mask) *kept += state->LegalActionsMask()[0];
      if (tensor) {
        state->ObservationTensor(state->CurrentPlayer(), absl::MakeSpan(*values));
        *kept += (*values)[0];
      }
      ++decisions;
    }
    state->ApplyAction(legal[Below(legal.size())]);
  }
  *kept += state->Returns()[0];
  return decisions;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: openspiel_loop legal|mask|tensor SECONDS WINDOWS\n");
    return 2;
  }
  const std::string mode = argv[1];
  const double seconds = std::atof(argv[2]);
  const int windows = std::atoi(argv[3]);
  std::shared_ptr<const open_spiel::Game> game = open_spiel::LoadGame("spades");
  std::vector<float> values(game->ObservationTensorSize());
  double kept = 0;  // printed at the end, so that nothing above can be left out by the compiler
  for (int window = -1; window < windows; ++window) {  // the first warms up
    long decisions = 0;
    const double cpu = CpuSeconds(), wall = WallSeconds();
    while (CpuSeconds() - cpu < seconds)
      for (int deal = 0; deal < 20; ++deal) decisions += PlayDeal(*game, mode != "legal", mode == "tensor", &values, &kept);
    if (window >= 0) std::printf("%ld %.9f %.9f\n", decisions, CpuSeconds() - cpu, WallSeconds() - wall);
  }
  std::fprintf(stderr, "%g\n", kept);
}
